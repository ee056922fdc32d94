import { permissionRow, stringOrNull } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { Dialogue, Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { createClaudeDialogue } from "./claude-code/claude-dialogue.ts";
import { claudeCode, claudeCommand } from "./claude-code.ts";
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
function withHint(updates: readonly RunUpdate[], native: JsonObject): readonly RunUpdate[] {
  const hint = native["is_error"] === true ? stringOrNull(native["hint"]) : null;
  if (hint === null) return updates;
  return updates.map((update) =>
    update.kind === "turn-end" ? { ...update, metadata: { ...update.metadata, hint } } : update,
  );
}

/** Our own agent speaks as Claude Code does, whatever the environment says about its answers. */
function command(request: RunRequest): SpawnSpec {
  const { claw: mode } = permissionRow(request.permissionMode);
  const permissions = mode === null ? [] : ["--permission-mode", mode];
  const spec = claudeCommand({ ...request, live: false, pieces: false }, permissions);
  return { ...spec, argv: [...spec.argv, "--envelope", "claw"] };
}

/** claw's agent asks questions, but works on one prompt. Text sent meanwhile waits for the next run. */
const dialogue = (): Dialogue => ({ ...createClaudeDialogue(), say: () => null });

/** Our own agent, in a process like any other. */
export const claw: Harness = {
  ...claudeCode,
  id: "claw",
  command,
  dialogue,
  translate: (native, state) => withHint(claudeCode.translate(native, state), native),
  rules: (state) => ownRules(claudeCode.rules(state)),
};
