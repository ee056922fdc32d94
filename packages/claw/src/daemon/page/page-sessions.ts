import type { IncomingMessage } from "node:http";
import type { TokenStore } from "../../bus/index.ts";
import { browserName } from "./browser-name.ts";
import type { CodeGrant } from "./page-codes.ts";
import { cookiesOf } from "./page-cookie.ts";

type Tokens = Pick<TokenStore, "issue" | "issued" | "read">;

/** The session of a browser: an issued token that is its cookie. */
export interface PageSession {
  readonly id: string;
  readonly role: string;
  readonly expiresAt: number;
  /** The cookie. */
  readonly bearer: string;
}

export type PageSessionReading =
  | { readonly kind: "open"; readonly session: PageSession }
  | { readonly kind: "none" | "expired" | "revoked" | "invalid" };

/** The session of a request, by its cookie. */
export function readPageSession(tokens: Tokens, request: Pick<IncomingMessage, "headers">): PageSessionReading {
  let worst: PageSessionReading = { kind: "none" };
  for (const bearer of cookiesOf(request)) {
    const reading = tokens.read(bearer, "page");
    if (reading.kind !== "granted") {
      worst = reading;
      continue;
    }
    const { id, role, expiresAt } = reading.grant;
    return { kind: "open", session: { id, role, expiresAt, bearer } };
  }
  return worst;
}

/** Begins a session for the browser that sent a request. Undefined when there are too many. Throws file errors. */
export function beginSession(tokens: Tokens, request: IncomingMessage, { role, lifetimeMs }: CodeGrant) {
  const browser = browserName(request.headers["user-agent"], request.socket.remoteAddress);
  return tokens.issue({ role, lifetimeMs, browser })?.token;
}

/** When the last session of a browser ends; 0 without one. */
export const sessionsUntil = (tokens: Tokens): number =>
  Math.max(0, ...tokens.issued().flatMap(({ browser, expiresAt }) => (browser === null ? [] : [expiresAt])));
