import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { FramedLine } from "claw-contract";
import { createLineFramer, isObject } from "claw-contract";
import { holdsJsonText, printMembers } from "../layer/json-text.ts";

/** A longer message is answered with an error and skipped. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The streams of one connection. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes bytes in order. Resolves with false when the reader has left. */
  readonly write: (bytes: Uint8Array) => Promise<boolean>;
}

/** A message as its line, without the end of the line. Data that was printed already is not printed again. */
function lineOf(message: JSONRPCMessage): string {
  const { result, ...frame } = message as JSONRPCMessage & { readonly result?: unknown };
  const { structuredContent: data, ...rest } = isObject(result) ? result : {};
  if (!isObject(data) || !holdsJsonText(data)) return JSON.stringify(message);
  const body = `${JSON.stringify({ ...rest, structuredContent: null }).slice(0, -"null}".length)}${printMembers(data)}}`;
  return `${JSON.stringify({ ...frame, result: null }).slice(0, -"null}".length)}${body}}`;
}

/** The id of a message that cannot be served; null when the message has none. */
function idOf(message: unknown): string | number | null {
  const id = isObject(message) ? message["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/**
 * One JSON-RPC message a line. A line that is no message is answered with the error that JSON-RPC has for it, and the
 * connection goes on. Ends when the input ends or the reader of the output has left.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection has ended. Never rejects. */
  readonly ended: Promise<void>;
  /** Lines that came and were not empty. */
  received = 0;

  readonly #streams: LineStreams;
  #end: () => void = () => undefined;
  #isClosed = false;

  constructor(streams: LineStreams) {
    this.#streams = streams;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  // eslint-disable-next-line typescript/require-await -- the port asks for a promise
  async start(): Promise<void> {
    void this.#read().catch((error: unknown) => {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const isHeard = await this.#streams.write(Buffer.from(`${lineOf(message)}\n`));
    if (!isHeard) await this.close();
  }

  // eslint-disable-next-line typescript/require-await -- the port asks for a promise
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const framer = createLineFramer({ maxLineBytes: MAX_MESSAGE_BYTES });
    for await (const chunk of this.#streams.input) {
      if (this.#isClosed) return;
      this.#take(framer.push(chunk));
    }
    await this.close();
  }

  #take(lines: readonly FramedLine[]): void {
    for (const line of lines) {
      if (line.kind === "oversize") this.#refuse(null, INVALID_REQUEST, "The message is too long");
      else this.#receive(Buffer.from(line.bytes).toString("utf8"));
    }
  }

  #receive(text: string): void {
    if (text.trim() === "") return undefined;
    this.received += 1;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#refuse(null, PARSE_ERROR, "Parse error: the line is not JSON");
    }
    try {
      this.onmessage?.(parseJSONRPCMessage(message));
    } catch {
      this.#refuse(idOf(message), INVALID_REQUEST, "The line is no JSON-RPC 2.0 message");
    }
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    const answer = { jsonrpc: "2.0", id, error: { code, message } };
    void this.#streams.write(Buffer.from(`${JSON.stringify(answer)}\n`)).catch(() => this.close());
  }
}
