import type { JsonObject } from "claw-contract";
import { stringOrNull } from "claw-contract";
import type { RunUpdate } from "../stream/run-update.ts";
import type { StreamRules } from "../stream/stream-rules.ts";

/** How claw itself tells an error on stderr: what is wrong, then what to do. */
const FRAME = /^error\[[a-z_]+\]: (.*(?:\nnext: .*)?)\n?/m;

/** Stderr of a claw that ran as an agent, with the error first and without the `error[…]:` frame. */
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

/** The hint of a failed claw: the `hint` of its answer, else the `next:` line of its error. */
export function hintOf({ error, metadata }: { readonly error: string | null; readonly metadata: JsonObject }) {
  return stringOrNull(metadata["hint"]) ?? /^next: (.+)$/m.exec(error ?? "")?.[1];
}

/** Adds the hint of a failed answer to the metadata of the turn's end. */
export function withHint(updates: readonly RunUpdate[], native: JsonObject): readonly RunUpdate[] {
  const hint = native["is_error"] === true ? stringOrNull(native["hint"]) : null;
  if (hint === null) return updates;
  return updates.map((update) =>
    update.kind === "turn-end" ? { ...update, metadata: { ...update.metadata, hint } } : update,
  );
}
