import { stripAnsi } from "claw-contract";
import { CLAUDE_WORDS } from "../../result/classify.ts";
import type { StreamRules } from "../../stream/stream-rules.ts";

/** What Claude Code says of a sandbox that cannot start, for example because a program is missing. */
const NO_SANDBOX = /Sandbox disabled: (.+)/;

const stderrWarnings = (stderr: string): readonly string[] => {
  const [, why] = NO_SANDBOX.exec(stderr) ?? [];
  return why === undefined
    ? []
    : [`sandbox: Claude Code runs without its sandbox, so commands need permission: ${why}`];
};

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
  stderrWarnings,
  denialsIn: () => [],
  isEvent: (native) => Object.hasOwn(native, "type"),
  eventOf: (native) => native,
  countsTurns: false,
  metadata: () => ({}),
  maxEventChars: Infinity,
};
