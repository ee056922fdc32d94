import type { JsonObject } from "claw-contract";
import { dialectOf } from "../dialect.ts";
import type { Harness } from "../harness.ts";
import { ownRules } from "./claw.ts";
import type { StreamState } from "../stream/stream-state.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";

/** The harness that the fake agent plays. The first event with a clear dialect decides; before that, Claude Code. */
function roleOf(state: StreamState, native?: JsonObject): Harness {
  if (native !== undefined) state.dialect ??= dialectOf(native);
  return state.dialect === "codex" ? codex : claudeCode;
}

/** An agent that plays a scenario in the words of Claude Code or of Codex. */
export const fake: Harness = {
  id: "fake",
  command: (request) => claudeCode.command(request),
  dialogue: (request) => claudeCode.dialogue(request),
  translate: (native, state) => roleOf(state, native).translate(native, state),
  end: (state) => roleOf(state).end(state),
  isStreamMessage: (native, state) => roleOf(state).isStreamMessage(native, state),
  isPiece: (native) => claudeCode.isPiece(native) || codex.isPiece(native),
  rules: (state) => ownRules(roleOf(state).rules(state)),
};
