import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "claw-contract";

const SECOND_MS = 1000;

export interface HttpReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Writes the head of an answer and gives its text: JSON, never cached, never guessed at. */
function beginAnswer(response: ServerResponse, { status, body }: HttpReply): string {
  const retryMs = body["retry_after_ms"];
  if (typeof retryMs === "number") response.setHeader("retry-after", Math.ceil(retryMs / SECOND_MS));
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    "content-length": Buffer.byteLength(text),
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  return text;
}

export function sendAnswer(response: ServerResponse, answer: HttpReply): void {
  if (!response.headersSent && !response.destroyed) response.end(beginAnswer(response, answer));
}

/**
 * Answers a client whose body is not read, and hangs up. Ending the answer would read the body or reset the
 * connection, and a client that still sends would not see the answer; so the client is left a while to hang up first.
 */
export function turnAway(response: ServerResponse, answer: HttpReply): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader("connection", "close");
  response.write(beginAnswer(response, answer));
  const hangUp = setTimeout(() => response.destroy(), LIMITS.hangUpMs).unref();
  response.on("close", () => clearTimeout(hangUp));
  response.socket?.once("end", () => response.destroy());
}

export const refusal = (status: number, error: string): HttpReply => ({ status, body: { ok: false, error } });

const AUTH = new Set<unknown>(["auth:required", "auth:invalid", "auth:expired"]);

/** The status that goes with an answer of the bus. */
export function answerOf(body: Readonly<Record<string, unknown>>): HttpReply {
  if (body["ok"] === true) return { status: 200, body };
  if (AUTH.has(body["error"])) return { status: 401, body };
  return { status: body["retry_after_ms"] === undefined ? 400 : 429, body };
}

/** The token of the Authorization header. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** A whole body; undefined when it is larger than allowed or was cut off. The rest is read all the same, or the
 * client would never come to reading the answer. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return undefined;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks).toString();
}
