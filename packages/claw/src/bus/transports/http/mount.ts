import type { IncomingMessage, ServerResponse } from "node:http";
import type { Grant, TokenReading } from "../../access/tokens/index.ts";
import type { HttpReply } from "./reply.ts";
import { bearerOf, refusal, sendAnswer, turnAway } from "./reply.ts";

/** A client that showed a valid token with its request. */
export interface TokenHolder extends Grant {
  readonly bearer: string;
}

const REFUSALS = {
  missing: { error: "auth:required" },
  expired: { error: "auth:expired" },
  invalid: { error: "auth:invalid" },
  revoked: { error: "auth:invalid", reason: "revoked" },
} as const;

/** A protocol beside the bus on the same address, for clients with a token of the bus. */
export interface Mount {
  /** The only path that is served. */
  readonly path: string;
  /** Reads the token that a request shows, if any. A token for one use is not used up. */
  readToken(bearer: string | undefined): TokenReading | { readonly kind: "missing" };
  /** Answers a request. Host, Origin and token were checked before, and the body was not read. */
  serve(request: IncomingMessage, response: ServerResponse, holder: TokenHolder): Promise<void>;
}

function judge(mount: Mount, bearer: string | undefined): TokenHolder | HttpReply {
  const reading = mount.readToken(bearer);
  // The cookie of a browser opens the page only.
  if (reading.kind === "granted" && !reading.grant.browser) return { ...reading.grant, bearer: bearer ?? "" };
  const why = reading.kind === "granted" ? REFUSALS.invalid : REFUSALS[reading.kind];
  return { status: 401, body: { ok: false, ...why } };
}

/** The body of a client without a good token is not read. */
export function serveMount(mount: Mount, request: IncomingMessage, response: ServerResponse): void {
  const holder = judge(mount, bearerOf(request));
  if ("status" in holder) return turnAway(response, holder);
  mount.serve(request, response, holder).catch(() => {
    if (response.headersSent) response.destroy();
    else sendAnswer(response, refusal(500, "internal error"));
  });
}
