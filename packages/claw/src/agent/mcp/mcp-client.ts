import { LIMITS, firstChars } from "claw-contract";
import type { Transport } from "@modelcontextprotocol/client";
import { Client, ProtocolError, SdkError, SdkErrorCode, SseError } from "@modelcontextprotocol/client";
import type { JsonObject } from "claw-contract";
import type { ToolCall, ToolOutput } from "../tools/tool.ts";
import { createTransport, takeLeave } from "./create-transport.ts";
import { foreignTool } from "./foreign-tool.ts";
import type { ListedResource, ServerOffers } from "./list-offers.ts";
import { listOffers, listResources } from "./list-offers.ts";
import type { Surroundings } from "./process-transport.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { McpServer } from "./read-servers.ts";
import { promptText, resourceText, resultText } from "./result-text.ts";

export { foreignTool };

/** A request failed: the server gave no result. The message says why, in words for people. */
export class NoResult extends Error {}

/**
 * An open connection to an MCP server. Requests reject with NoResult when they fail, or with the signal's reason. A
 * lost connection stays lost.
 */
export interface McpConnection {
  readonly offers: ServerOffers;
  /** Why the connection is lost; null while the connection works. */
  lost(): string | null;
  callTool(name: string, input: JsonObject, call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
  listResources(signal: AbortSignal): Promise<readonly ListedResource[]>;
  /** The text of a resource, bounded. */
  readResource(uri: string, signal: AbortSignal): Promise<string>;
  /** The text that a prompt makes from the arguments, bounded. */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
  /** Ends the connection, and the server's process with everything the process started. Never rejects. Idempotent. */
  close(): Promise<void>;
}

/** What went wrong with a server, in words for people. */
function explain(error: unknown, transport: Transport): string {
  if (transport instanceof ProcessTransport && transport.endReason !== null) return transport.endReason;
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return "it did not answer in time";
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected) {
      return "its connection is closed";
    }
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return firstChars(`${error instanceof Error ? error.message : "unknown error"}${cause}`, LIMITS.runErrorChars);
}

/** Whether a failed request means that the connection is lost. An error answer or a timeout does not mean a loss. */
function isLoss(error: unknown): boolean {
  if (error instanceof ProtocolError) return false;
  return !(SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout);
}

class Connection implements McpConnection {
  readonly offers: ServerOffers;
  readonly close: () => Promise<void>;
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #server: McpServer;
  #lost: string | null = null;

  constructor(parts: {
    client: Client;
    transport: Transport;
    server: McpServer;
    offers: ServerOffers;
    close: () => Promise<void>;
  }) {
    this.#client = parts.client;
    this.#transport = parts.transport;
    this.#server = parts.server;
    this.offers = parts.offers;
    this.close = parts.close;
    // The SDK's client is no EventTarget: each event has one handler property.
    Object.assign(this.#client, {
      onclose: () => void (this.#lost ??= this.#explainEnd()),
      // With `sse` every answer comes over one stream of events. When the stream breaks, no answer can come.
      onerror: (error: Error) => void (error instanceof SseError && this.#giveUp("its stream of events broke off")),
    });
  }

  lost(): string | null {
    return this.#lost;
  }

  callTool(name: string, input: JsonObject, call: ToolCall, signal: AbortSignal): Promise<ToolOutput> {
    return this.#ask(signal, async () => {
      const request = { method: "tools/call" as const, params: { name, arguments: input } };
      const result = await this.#client.request(request, {
        timeout: this.#server.callTimeoutMs,
        signal,
        onprogress: ({ message }) => message !== undefined && call.progress(message),
      });
      return { output: resultText(result), isError: result.isError === true };
    });
  }

  listResources(signal: AbortSignal): Promise<readonly ListedResource[]> {
    return this.#ask(signal, () => listResources(this.#client, signal));
  }

  readResource(uri: string, signal: AbortSignal): Promise<string> {
    const request = { method: "resources/read" as const, params: { uri } };
    return this.#ask(signal, async () => resourceText(await this.#client.request(request, this.#limits(signal))));
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
    const request = { method: "prompts/get" as const, params: { name, arguments: { ...args } } };
    return this.#ask(signal, async () => promptText(await this.#client.request(request, this.#limits(signal))));
  }

  #limits(signal: AbortSignal) {
    return { timeout: this.#server.callTimeoutMs, signal };
  }

  async #ask<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const why = explain(error, this.#transport);
      if (isLoss(error)) await this.#giveUp(why);
      throw new NoResult(this.#lost ?? why, { cause: error });
    }
  }

  #explainEnd(): string {
    return explain(new SdkError(SdkErrorCode.ConnectionClosed, "closed"), this.#transport);
  }

  async #giveUp(why: string): Promise<void> {
    this.#lost ??= why;
    await this.close();
  }
}

/**
 * Starts or reaches a server and lists its tools and prompts. Rejects with an error in words for people; every process
 * and connection started here has ended by then.
 */
export async function connectServer(
  server: McpServer,
  around: Surroundings & { readonly version: string },
  signal: AbortSignal,
): Promise<McpConnection> {
  const transport = createTransport(server, around);
  const client = new Client({ name: "claw", version: around.version });
  const end = async (): Promise<void> => {
    await takeLeave(transport);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => (ending ??= end());
  try {
    await client.connect(transport, { timeout: LIMITS.mcpStartMs, signal });
    const offers = await listOffers(client, signal);
    return new Connection({ client, transport, server, offers, close });
  } catch (error) {
    const why = explain(error, transport);
    await close();
    throw new Error(why, { cause: error });
  }
}
