import type { IncomingMessage, ServerResponse } from "node:http";
import { errnoOf } from "../../files/index.ts";
import { ClawError } from "claw-contract";
import type { TokenStore } from "../../bus/index.ts";
import { sendNotice } from "./notice.ts";
import type { CodeGrant, PageCodes } from "./page-codes.ts";
import { cookieFor } from "./page-cookie.ts";
import { noticeHeaders } from "./page-headers.ts";
import { CODE_NOTICES, EMBEDDED, NO_SESSION_LEFT, OTHER_USER, PREFETCH, signedIn } from "./page-notices.ts";
import { beginSession, readPageSession } from "./page-sessions.ts";
import { isOtherUser } from "./peer-user.ts";

/** Where a code is exchanged. */
export interface EntryOptions {
  /** The page's path, with a slash at both ends. */
  readonly path: string;
  readonly codes: PageCodes;
  readonly tokens: Pick<TokenStore, "issue" | "issued" | "read">;
}

const SECOND_MS = 1000;

/**
 * Leads to the page. A page of another site may have led the browser here: it would not send the new cookie when it is
 * redirected, so a notice leads it on.
 */
function leadOn(request: IncomingMessage, response: ServerResponse, path: string): void {
  if (request.headers["sec-fetch-site"] === "cross-site") return sendNotice(response, signedIn(path));
  response.writeHead(303, { ...noticeHeaders(""), location: path, "content-length": 0 });
  return void response.end();
}

/** A new cookie; undefined when none could be stored. */
function tryBegin(request: IncomingMessage, options: EntryOptions, grant: CodeGrant): string | undefined {
  try {
    return beginSession(options.tokens, request, grant);
  } catch (error) {
    if (error instanceof ClawError || errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}

const isEmbedded = (destination: string | string[] | undefined): boolean =>
  destination !== undefined && destination !== "document";

const isInAdvance = ({ headers }: IncomingMessage): boolean =>
  [headers["sec-purpose"], headers["purpose"]].some((purpose) => String(purpose ?? "").startsWith("prefetch"));

/** Exchanges the code of a link for a session, once. */
export function enterPage(
  request: IncomingMessage,
  response: ServerResponse,
  code: string,
  options: EntryOptions,
): void {
  const { path, codes, tokens } = options;
  if (isInAdvance(request)) return sendNotice(response, PREFETCH);
  if (isEmbedded(request.headers["sec-fetch-dest"])) return sendNotice(response, EMBEDDED);
  if (isOtherUser(request.socket)) return sendNotice(response, OTHER_USER);
  const verdict = codes.check(code);
  if (verdict.kind !== "valid") {
    // The same browser goes back, or opens its link again.
    const isKnown = verdict.kind === "used" && readPageSession(tokens, request).kind === "open";
    return isKnown ? leadOn(request, response, path) : sendNotice(response, CODE_NOTICES[verdict.kind]);
  }
  const value = tryBegin(request, options, verdict.grant);
  if (value === undefined) return sendNotice(response, NO_SESSION_LEFT);
  codes.use(code);
  const seconds = Math.floor(verdict.grant.lifetimeMs / SECOND_MS);
  response.setHeader("set-cookie", cookieFor(request, path, { value, seconds }));
  return leadOn(request, response, path);
}
