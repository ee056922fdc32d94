import type { PageNotice } from "./notice.ts";
import type { CodeVerdict } from "./page-codes.ts";
import type { PageSessionReading } from "./page-sessions.ts";

const COMMAND = "claw dashboard";
const ANOTHER = "Make another link in a terminal, in the folder of the daemon:";

type Refused<Verdict extends { kind: string }, Good extends string> = Exclude<Verdict["kind"], Good>;

const MINUTE_SECONDS = 60;

/** Why a code does not open the page. */
export const CODE_NOTICES: Readonly<Record<Refused<CodeVerdict, "valid">, PageNotice>> = {
  used: {
    status: 410,
    title: "This link was used",
    text: `A link opens the page in one browser, once. If you did not use it, look for a browser that is not yours with "claw tokens" and end its session with "claw tokens revoke". ${ANOTHER}`,
    command: COMMAND,
  },
  expired: { status: 410, title: "This link has expired", text: ANOTHER, command: COMMAND },
  unknown: {
    status: 403,
    title: "This link is not valid",
    text: `It may be cut off, or the daemon was restarted since. ${ANOTHER}`,
    command: COMMAND,
  },
  limited: {
    status: 429,
    title: "Too many wrong links",
    text: `Wait a minute. ${ANOTHER}`,
    command: COMMAND,
    retryAfterSeconds: MINUTE_SECONDS,
  },
};

/** Why a browser without a valid session does not see the page. */
export const SESSION_NOTICES: Readonly<Record<Refused<PageSessionReading, "open">, PageNotice>> = {
  none: {
    status: 401,
    title: "This browser has no session",
    text: "A link with a one-time code gives it one. Make the link in a terminal, in the folder of the daemon:",
    command: COMMAND,
  },
  invalid: { status: 401, title: "This browser's session is not valid", text: ANOTHER, command: COMMAND },
  expired: { status: 401, title: "This browser's session has expired", text: ANOTHER, command: COMMAND },
  revoked: { status: 401, title: "This browser's session was ended", text: ANOTHER, command: COMMAND },
};

export const OTHER_USER: PageNotice = {
  status: 403,
  title: "This link belongs to another user",
  text: "It was made by another user of this machine, and opens the page for that user only.",
};

export const PREFETCH: PageNotice = {
  status: 503,
  title: "Not in advance",
  text: "This link works once, so it is not opened in advance.",
};

export const EMBEDDED: PageNotice = {
  status: 403,
  title: "Open the link in a tab",
  text: "The link does not work inside of another page.",
};

export const NO_SESSION_LEFT: PageNotice = {
  status: 503,
  title: "No session could be stored",
  text: "The disk is full, or too many tokens are valid: claw tokens lists them. The link stays valid.",
};

export const signedIn = (leadsOn: string): PageNotice => ({
  status: 200,
  title: "One moment",
  text: "The page opens.",
  leadsOn,
});
