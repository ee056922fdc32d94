import { stripAnsi } from "@claw/contract";
import { CLAUDE_WORDS } from "../../classify.ts";
import type { StreamRules } from "../../stream-rules.ts";

export const CLAUDE_RULES: StreamRules = {
  streamName: "stream-json",
  announcesEnd: true,
  brokenOff: null,
  hangHeuristic: true,
  failureWords: CLAUDE_WORDS,
  cutMark: " ... (truncated)",
  alwaysTellsStderr: false,
  filterStderr: stripAnsi,
  causeIn: (stderr) => stderr,
  stderrWarnings: () => [],
  isEvent: (native) => Object.hasOwn(native, "type"),
  eventOf: (native) => native,
  countsTurns: false,
  metadata: () => ({}),
  maxEventChars: Infinity,
};
