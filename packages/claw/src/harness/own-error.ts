import type { JsonObject } from "@claw/contract";
import { stringOf } from "./json-fields.ts";
import type { RunUpdate } from "./run-update.ts";
import type { StreamRules } from "./stream-rules.ts";

/** How claw itself tells an error on stderr: what is wrong, then what to do. */
const FRAME = /^error\[[a-z_]+\]: (.*(?:\nnext: .*)?)\n?/m;

/** What a claw that was started as an agent wrote to stderr: its error first, and without a frame. */
export function unframeError(stderr: string): string {
  const error = FRAME.exec(stderr)?.[1];
  if (error === undefined) return stderr;
  const rest = stderr.replace(FRAME, "").trim();
  return rest === "" ? error : `${error}\n${rest}`;
}

/** The rules for an agent that is a claw itself. */
export const ownRules = (rules: StreamRules): StreamRules => ({
  ...rules,
  filterStderr: (stderr) => unframeError(rules.filterStderr(stderr)),
});

/** What to do about a failed run, in the words of the claw that failed: of its answer, else of its stderr. */
export function hintOf({ error, metadata }: { readonly error: string | null; readonly metadata: JsonObject }) {
  return stringOf(metadata["hint"]) ?? /^next: (.+)$/m.exec(error ?? "")?.[1];
}

/** Adds the hint of a failed answer to what is known of the run. */
export function withHint(updates: readonly RunUpdate[], native: JsonObject): readonly RunUpdate[] {
  const hint = native["is_error"] === true ? stringOf(native["hint"]) : null;
  if (hint === null) return updates;
  return updates.map((update) =>
    update.kind === "turn-end" ? { ...update, metadata: { ...update.metadata, hint } } : update,
  );
}
