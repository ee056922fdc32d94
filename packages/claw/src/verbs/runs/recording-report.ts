import type { RunResult } from "claw-contract";
import type { Paint } from "../runtime/paint.ts";
import { pairs, plural } from "../text/text-layout.ts";
import { cutToWidth } from "../text/text-width.ts";

const COLUMNS = 80;
const LABEL_COLUMNS = 10;
const OUTPUT_LINES = 12;
const ERROR_LINES = 3;

const width = COLUMNS - LABEL_COLUMNS;

/** The first lines of a text, cut to `columns`, then the number of lines left out. */
function beginning(text: string, maxLines: number, columns: number): string[] {
  const lines = text.trim().split("\n");
  const shown = lines.slice(0, maxLines).map((line) => cutToWidth(line.trimEnd(), columns));
  return lines.length <= maxLines ? shown : [...shown, `… ${plural(lines.length - maxLines, "more line")}`];
}

/** The verdict about a run in one word, with the category of an error. */
function verdictOf({ error, error_category, exit_code, succeeded }: RunResult, paint: Paint): string {
  const category = error_category === null ? "" : ` (${error_category})`;
  if (error !== null) return paint.red(`failed${category}`);
  if (error_category !== null) return paint.yellow(`doubtful${category}`);
  if (exit_code !== 0) return paint.red("failed");
  return succeeded ? paint.green("succeeded") : paint.yellow("said nothing");
}

function exitOf({ exit_code, signal, terminal_reason, stop_reason }: RunResult): string {
  const reasons = [signal, terminal_reason, stop_reason].filter((reason) => reason !== null);
  return [String(exit_code), ...reasons].join(", ");
}

function tokensOf(result: RunResult): string {
  const { input_tokens, output_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: written } = result;
  const cache = read === 0 && written === 0 ? "" : `; cache ${read} read, ${written} written`;
  return `${input_tokens} in, ${output_tokens} out${cache}`;
}

function rowsOf(result: RunResult, paint: Paint): [string, string][] {
  const { harness, model, session_id, num_turns, cost_usd, api_error_status } = result;
  const { permission_denials: denials, raw_messages_count: events, raw_messages_path: path } = result;
  const continued = (label: string, lines: readonly string[]): [string, string][] =>
    lines.map((line, index) => [index === 0 ? label : "", line]);
  return [
    ["run", `${verdictOf(result, paint)}, ${harness}${model === null ? "" : ` with ${model}`}`],
    ...continued("error", result.error === null ? [] : beginning(result.error, ERROR_LINES, width)),
    ...(api_error_status === null ? [] : [["status", String(api_error_status)] as [string, string]]),
    ["exit", exitOf(result)],
    ...(session_id === null ? [] : [["session", session_id] as [string, string]]),
    ...(num_turns === null ? [] : [["turns", String(num_turns)] as [string, string]]),
    ["tokens", tokensOf(result)],
    ...(cost_usd === null ? [] : [["cost", `$${cost_usd.toFixed(4)}`] as [string, string]]),
    ...continued(
      "denied",
      denials.map((denial) => cutToWidth(String(denial["tool_name"]), width)),
    ),
    ["events", String(events)],
    ...(path === undefined ? [] : [["file", path] as [string, string]]),
    ...continued(
      "warning",
      result.warnings.flatMap((warning) => beginning(warning, 1, width)),
    ),
  ];
}

/** A report about a run for people: short, and no wider than a small terminal. */
export function showRecording(result: RunResult, paint: Paint): string {
  const report = pairs(rowsOf(result, paint), paint);
  return result.output.trim() === ""
    ? report
    : [report, "", ...beginning(result.output, OUTPUT_LINES, COLUMNS)].join("\n");
}
