import type { RunItem, RunReader, StreamMessage } from "../../harness/index.ts";
import { createRunReader, HARNESSES, watchDialect } from "../../harness/index.ts";
import type { VerbInput, RunResult } from "claw-contract";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Recording } from "./recording.ts";
import { openRecording } from "./recording.ts";
import { answerRun, passesOn } from "./run-answer.ts";
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

type Input = VerbInput<"parse-stream">;

function openReader({ harness, subject, noHangHeuristic }: Input, ports: Ports, { spool }: Recording): RunReader {
  return createRunReader(HARNESSES[harness], {
    ...(subject === undefined ? {} : { subject }),
    hangHeuristic: !noHangHeuristic,
    redactor: ports.redactor,
    includesEvents: !passesOn(ports),
    spool,
  });
}

/** Reads to the end, by pieces of the recording. */
async function* readAll(reader: RunReader, recording: Recording): AsyncGenerator<readonly RunItem[]> {
  for await (const chunk of recording.chunks()) yield reader.push(chunk);
  yield reader.end();
}

/** Yields the lines of `stream-json` when the caller wants a stream. Warns when the recording is of another agent. */
async function* followRecording(
  reader: RunReader,
  recording: Recording,
  input: Input,
  ports: Ports,
): AsyncGenerator<StreamMessage> {
  const watch = watchDialect(input.harness);
  const wanted = passesOn(ports);
  for await (const items of readAll(reader, recording)) {
    for (const { native, messages } of items) {
      watch.note(native);
      if (wanted) yield* messages;
    }
  }
  const warning = watch.warning();
  if (warning !== undefined) ports.notes.warn(warning);
}

async function* run(input: Input, ports: Ports): VerbStream<"parse-stream"> {
  const recording = openRecording(input.file, ports);
  try {
    const reader = openReader(input, ports, recording);
    yield* followRecording(reader, recording, input, ports);
    const { exitCode } = input;
    const result = reader.finish({ exitCode, signal: null, stderr: "", ended: "by-itself", durationMs: 0 });
    return answerRun(result, ports, recording.spool);
  } finally {
    recording.close();
  }
}

export const handler = handle("parse-stream", {
  run,
  showItem: (item) => JSON.stringify(item),
  show: ({ result }, paint) => showRecording(result, paint),
});
