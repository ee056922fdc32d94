import { permissionRow } from "claw-contract";
import type { Dialogue } from "../dialogue.ts";
import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { ownRules, withHint } from "../result/own-error.ts";
import { createClaudeDialogue } from "./claude-code/claude-dialogue.ts";
import { claudeCode, claudeCommand } from "./claude-code.ts";

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
  program: null,
  command,
  dialogue,
  translate: (native, state) => withHint(claudeCode.translate(native, state), native),
  rules: (state) => ownRules(claudeCode.rules(state)),
};
