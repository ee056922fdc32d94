import type { HarnessId } from "claw-contract";

/**
 * Name of each agent's program, as searched for in `PATH`; null for an agent that is part of claw. A module without the
 * adapters: serves the row "claw spawn until boot".
 */
export const AGENT_PROGRAMS = {
  "claude-code": "claude",
  codex: "codex",
  claw: null,
  fake: null,
} as const satisfies Readonly<Record<HarnessId, string | null>>;
