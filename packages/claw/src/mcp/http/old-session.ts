import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/server";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LIMITS } from "claw-contract";
import { createReplayStore } from "./replay-store.ts";

/** When a client whose stream was closed is to come back. */
const RETRY_MS = 1000;

export interface OldSession {
  /** Answers a request of the session. Rejects when the transport breaks. */
  serve(request: Request, body: unknown): Promise<Response>;
  /** Whether no request and no stream is open. */
  isIdle(): boolean;
  /** When the last request or stream ended, in milliseconds. */
  usedAt(): number;
  close(): Promise<void>;
}

/** Callbacks with the id of a session: at its beginning, and at its end by the client. */
export interface SessionListener {
  readonly began: (id: string) => void;
  readonly ended: (id: string) => void;
}

/** Calls `ended` once, when the body of an answer was sent or its reader has left. */
function whenSent(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  response.body
    .pipeTo(writable)
    .catch(() => undefined)
    .finally(ended);
  return new Response(readable, response);
}

/** A session that is not begun yet: its first request is `initialize`. */
export async function openOldSession(
  server: Server,
  { began, ended }: SessionListener,
  now: () => number,
): Promise<OldSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: createReplayStore(),
    retryInterval: RETRY_MS,
    keepAliveMs: LIMITS.heartbeatMs,
    onsessioninitialized: began,
    onsessionclosed: ended,
  });
  await server.connect(transport);
  let open = 0;
  let usedAt = now();
  const done = (): void => {
    open -= 1;
    usedAt = now();
  };
  return {
    serve: async (request, body) => {
      open += 1;
      const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
      // The transport refused `initialize`: there is no session to come back to.
      if (transport.sessionId === undefined) await transport.close();
      return whenSent(response, done);
    },
    isIdle: () => open === 0,
    usedAt: () => usedAt,
    close: () => transport.close(),
  };
}
