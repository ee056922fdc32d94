import { LIMITS } from "@claw/contract";
import type { ServerOffers } from "./list-offers.ts";
import type { McpConnection } from "./mcp-client.ts";
import type { McpServer } from "./read-servers.ts";

/** A server over time: one that was lost is started or reached again when it is needed next. */
export interface McpLink {
  readonly server: McpServer;
  /** What it had when it was last connected. */
  offers(): ServerOffers;
  /** Why it cannot be used now; null while it can. */
  lost(): string | null;
  /** Whether the next request would start or reach it again. */
  comesBack(): boolean;
  /**
   * Does something with its connection. A request that the loss interrupts fails: nobody knows whether it was carried
   * out. Rejects with what `work` rejects with, with an error in words for people when the server does not come back, or
   * with the signal's reason.
   */
  use<T>(work: (connection: McpConnection) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Ends the connection for good. Never rejects. Idempotent. */
  close(): Promise<void>;
}

export interface LinkParts {
  readonly server: McpServer;
  readonly connection: McpConnection;
  /** Starts or reaches the server again. Rejects with an error in words for people. */
  readonly connect: (signal: AbortSignal) => Promise<McpConnection>;
  /** Hears when the server came back and may have other tools. */
  readonly onChange: () => void;
}

/** Waits for something for as long as the signal allows. */
function during<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

const givenUp = (times: number, why: string): Error =>
  new Error(`it was lost ${times} times in a row, the last time because ${why}`);

const notBack = (error: unknown): Error =>
  new Error(`it did not come back: ${error instanceof Error ? error.message : "unknown error"}`, { cause: error });

export function createLink({ server, connection, connect, onChange }: LinkParts): McpLink {
  const closing = new AbortController();
  let current = connection;
  let opening: Promise<McpConnection> | undefined;
  let restarts = 0;

  const again = async (): Promise<McpConnection> => {
    if (restarts >= LIMITS.mcpRestarts) throw givenUp(restarts + 1, current.lost() ?? "it is gone");
    restarts += 1;
    await current.close();
    current = await connect(closing.signal).catch((error: unknown) => {
      throw notBack(error);
    });
    onChange();
    return current;
  };
  const ready = (): Promise<McpConnection> => {
    if (current.lost() === null) return Promise.resolve(current);
    opening ??= again().finally(() => (opening = undefined));
    return opening;
  };

  return {
    server,
    offers: () => current.offers,
    lost: () => current.lost(),
    comesBack: () => current.lost() !== null && restarts < LIMITS.mcpRestarts,
    use: async (work, signal) => {
      const connected = await during(ready(), signal);
      const result = await work(connected);
      restarts = 0;
      return result;
    },
    close: async () => {
      closing.abort(new Error("it is closed"));
      await opening?.catch(() => undefined);
      await current.close();
    },
  };
}
