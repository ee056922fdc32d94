import type { JsonObject } from "claw-contract";
import { isObject, objectOf, stripAnsi } from "claw-contract";
import { CODEX_WORDS } from "../../result/classify.ts";
import { cutText } from "../../stores/limited-stores.ts";
import type { StreamRules, StreamTotals } from "../../stream/stream-rules.ts";

/** Lines of Codex's log about calls of tools that it did not make. */
const ROUTER = /^(\S+) +ERROR codex_core::tools::router: error=(.+)$/;

/** Log messages about a call that needs permission when no person can be asked, with the refused tool. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^approval policy is Never; reject command/, "command_execution"],
  [/^patch rejected: /, "file_change"],
];

/**
 * Calls that `codex exec` refused because it cannot ask for permission. The stream does not mention these calls, and
 * the log names neither command nor file. A denial therefore holds only the tool, the time and the reason.
 */
function readRouterDenials(stderr: string): readonly JsonObject[] {
  return stripAnsi(stderr)
    .split("\n")
    .flatMap((line) => {
      const [, at, reason = ""] = ROUTER.exec(line) ?? [];
      const [, tool] = REFUSALS.find(([words]) => words.test(reason)) ?? [];
      return tool === undefined ? [] : [{ tool_name: tool, tool_use_id: null, reason, at }];
    });
}

const CUT_MARK = "... (truncated)";
const MAX_COMMAND_OUTPUT_CHARS = 65_536;
const MAX_STDERR_CHARS = 8192;
const MAX_EVENT_CHARS = 50 * 1024 * 1024;

export const OUTPUT_CUT_WARNING = `command_execution aggregated_output truncated at ${MAX_COMMAND_OUTPUT_CHARS} chars`;

/** Whether `stream_events` holds less of a command's output than the agent wrote. */
export function isOutputCut({ aggregated_output: output }: JsonObject): boolean {
  return typeof output === "string" && cutText(output, MAX_COMMAND_OUTPUT_CHARS, CUT_MARK) !== output;
}

/** Adds the harness to an event, and cuts a command's output to the length that people read. */
function eventOf(native: JsonObject): JsonObject {
  const { item } = native;
  if (!isObject(item) || native["type"] !== "item.completed" || !isOutputCut(item)) {
    return { ...native, harness: "codex" };
  }
  const output = cutText(String(objectOf(item)["aggregated_output"]), MAX_COMMAND_OUTPUT_CHARS, CUT_MARK);
  return { ...native, item: { ...item, aggregated_output: output }, harness: "codex" };
}

const LEAK = /sk-(?:proj-)?[A-Za-z0-9_-]{20,}|Bearer\s+\S{20,}/;
const LEAK_NAMES = ["api_key", "authorization", "openai_api_key=", "codex_api_key=", "codex_home="];

function hasLeak(line: string): boolean {
  const lower = line.toLowerCase();
  return LEAK.test(line) || LEAK_NAMES.some((name) => lower.includes(name));
}

/** Codex writes requests into its log; a line that may hold a credential is not shown at all. */
function filterStderr(stderr: string): string {
  const lines = stripAnsi(stderr).split("\n");
  const shown = lines.map((line) => (hasLeak(line) ? "<line redacted: matched auth-leak pattern>" : line));
  return cutText(shown.join("\n"), MAX_STDERR_CHARS, CUT_MARK);
}

/** Lines that Codex writes in every run, and warnings. These lines give no reason for a failure. */
const ROUTINE = /^(?:Reading (?:additional input|prompt) from stdin\.\.\.$|WARNING: )/;

const causeIn = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => !ROUTINE.test(line))
    .join("\n");

function stderrWarnings(stderr: string): readonly string[] {
  const line = stderr.split("\n").find((candidate) => {
    const lower = candidate.toLowerCase();
    return lower.includes("warning:") && lower.includes("deprecated");
  });
  return line === undefined ? [] : [`codex-deprecation: ${line}`];
}

/** Members named as in the reference; a value that was not seen has no member. */
function metadata({ sessionId, turnsStarted, usage, droppedEvents }: StreamTotals): JsonObject {
  const { cacheReadTokens, reasoningTokens } = usage;
  return {
    turn_count: turnsStarted,
    ...(sessionId === null ? {} : { thread_id: sessionId }),
    ...(cacheReadTokens === undefined ? {} : { cached_input_tokens: cacheReadTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning_output_tokens: reasoningTokens }),
    ...(droppedEvents === 0 ? {} : { dropped_events_count: droppedEvents }),
  };
}

export const CODEX_RULES: StreamRules = {
  streamName: "codex stream-json",
  announcesEnd: false,
  brokenOff: "the stream ended before the turn did",
  hangHeuristic: false,
  failureWords: CODEX_WORDS,
  cutMark: CUT_MARK,
  alwaysTellsStderr: true,
  filterStderr,
  causeIn,
  stderrWarnings,
  denialsIn: readRouterDenials,
  isEvent: () => true,
  eventOf,
  countsTurns: true,
  metadata,
  maxEventChars: MAX_EVENT_CHARS,
};
