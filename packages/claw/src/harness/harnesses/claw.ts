import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { claudeCode } from "./claude-code.ts";

/** Our own agent speaks as Claude Code does, whatever the environment says about its answers. */
function command(request: RunRequest): SpawnSpec {
  const spec = claudeCode.command({ ...request, dialogue: false });
  return { ...spec, argv: [...spec.argv, "--envelope", "claw"] };
}

/** Our own agent, in a process like any other. */
export const claw: Harness = { ...claudeCode, id: "claw", program: null, command };
