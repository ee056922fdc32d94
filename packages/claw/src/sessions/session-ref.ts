import { basename, dirname, isAbsolute, join } from "node:path";
import { ClawError, LIMITS, cutChars } from "claw-contract";

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LATEST = new Set(["latest", "last", "recent"]);
export const SESSION_SUFFIX = ".jsonl";

export type SessionChoice = { readonly kind: "latest" } | { readonly kind: "id"; readonly id: string };

/** Whether a name can be a session's: it must be a plain file name and not one of the words for the newest. */
export function isSessionId(id: string): boolean {
  return id.length <= LIMITS.sessionIdLength && SESSION_ID.test(id) && !LATEST.has(id.toLowerCase());
}

function refError(ref: string, why: string): ClawError {
  return new ClawError("INVALID_SESSION_ID", `'${shorten(ref)}' cannot name a session: ${why}`, {
    operation: "resolve_session",
    target: shorten(ref),
  });
}

const shorten = (text: string): string => cutChars(text, 200);

/** The id in a path that claw printed: a file directly in the sessions folder. */
function idInPath(ref: string, place: { cwd: string; directory: string }): string {
  const path = isAbsolute(ref) ? join(ref) : join(place.cwd, ref);
  if (dirname(path) !== place.directory || !path.endsWith(SESSION_SUFFIX)) {
    throw refError(ref, "a path must be a session file of this folder");
  }
  return basename(path, SESSION_SUFFIX);
}

/** Reads a reference to a session. Throws INVALID_SESSION_ID for anything that could leave the sessions folder. */
export function parseSessionRef(ref: string, place: { cwd: string; directory: string }): SessionChoice {
  if (LATEST.has(ref.toLowerCase())) return { kind: "latest" };
  const id = ref.includes("/") ? idInPath(ref, place) : ref;
  if (id.includes("\uFFFD")) throw refError(ref, "it is not valid UTF-8");
  if (!isSessionId(id)) throw refError(ref, "only letters, digits, '.', '_' and '-' are allowed");
  return { kind: "id", id };
}

/** A fresh id: the time it was made, and enough chance that two processes never meet. */
export function newSessionId(nowMs: number): string {
  return `session-${nowMs}-${Math.random().toString(36).slice(2, 10)}`;
}
