import { LIMITS } from "claw-contract";
import type { ServerOffers } from "./list-offers.ts";
import type { McpConnection } from "./mcp-client.ts";
import type { McpServer } from "./read-servers.ts";

/** A server over several connections: the next request starts or reaches a lost server again. */
export interface McpLink {
  readonly server: McpServer;
  /** Tools, prompts and resources that the server offered at the last connect. */
  offers(): ServerOffers;
  /** Why the server cannot be used now; null while the connection works. */
  lost(): string | null;
  /** Whether the next request would start or reach the server again. */
  comesBack(): boolean;
  /**
   * Runs `work` with the server's connection, and starts or reaches a lost server first. A request that a loss
   * interrupts fails and is not repeated: the server may have carried out the request. Rejects as `work` does, with an
   * error in words for people when the server does not come back, or with the signal's reason.
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
  /** Called when the server is back. The server may have other tools now. */
  readonly onChange: () => void;
}

/** Waits for `work`. Rejects with the signal's reason as soon as the signal aborts. */
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

export function createMcpLink({ server, connection, connect, onChange }: LinkParts): McpLink {
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
