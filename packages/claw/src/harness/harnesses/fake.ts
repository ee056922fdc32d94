import type { JsonObject } from "@claw/contract";
import type { Harness } from "../harness.ts";
import type { StreamState } from "../stream-state.ts";
import { isClaudeEvent } from "./claude-code/translate-claude.ts";
import { claudeCode } from "./claude-code.ts";
import { isCodexEvent } from "./codex/translate-codex.ts";
import { codex } from "./codex.ts";

/** Whose part it plays: the first event that tells decides; until then Claude's. */
function roleOf(state: StreamState, native?: JsonObject): Harness {
  if (state.dialect === null && native !== undefined) {
    if (isCodexEvent(native)) state.dialect = "codex";
    else if (isClaudeEvent(native)) state.dialect = "claude";
  }
  return state.dialect === "codex" ? codex : claudeCode;
}

/** An agent that plays a scenario in the words of Claude Code or of Codex. */
export const fake: Harness = {
  id: "fake",
  program: null,
  command: (request) => claudeCode.command(request),
  dialogue: (request) => claudeCode.dialogue(request),
  translate: (native, state) => roleOf(state, native).translate(native, state),
  end: (state) => roleOf(state).end(state),
  isStreamMessage: (native, state) => roleOf(state).isStreamMessage(native, state),
  rules: (state) => roleOf(state).rules(state),
};
