import { playClaude } from "./claude/play-claude.ts";
import { playCodex } from "./codex/play-codex.ts";
import type { Play, ProcessEnding } from "./stage.ts";

export { BUILT_IN_SCENARIOS } from "./built-in-scenarios.ts";

/** Plays one process of an agent's CLI by a scenario. Resolves with the ending of the process. */
export function playFakeAgent(agent: "claude" | "codex", play: Play): Promise<ProcessEnding> {
  return agent === "claude" ? playClaude(play) : playCodex(play);
}
