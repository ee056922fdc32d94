import type { RunAnswer } from "claw-contract";
import type { RunProgress } from "../../harness/index.ts";
import type { Paint } from "../runtime/paint.ts";
import { plural } from "../text/text-layout.ts";
import { duration } from "../text/times.ts";

const MAX_WARNINGS = 5;
const MAX_WARNING_CHARS = 200;

export function count(number: number): string {
  if (number < 1000) return String(number);
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}

const money = (usd: number | null, isEstimate = false): string[] =>
  usd === null ? [] : [`${isEstimate ? "~" : ""}$${usd.toFixed(4)}`];

/** One line about a run that goes on: what the agent does, tokens, cost, time. */
export function progressLine(progress: RunProgress, elapsedSeconds: number): string {
  const { activity, inputTokens, outputTokens, costUsd } = progress;
  const tokens = inputTokens + outputTokens;
  return [
    activity ?? "starting",
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens`]),
    ...money(costUsd),
    duration(elapsedSeconds),
  ].join(" · ");
}

function summaryLine(result: RunAnswer): string {
  const { harness, model, num_turns: turns, input_tokens: read, output_tokens: written } = result;
  return [
    harness,
    ...(model === null ? [] : [model]),
    ...(turns === null ? [] : [plural(turns, "turn")]),
    `${count(read)} tokens in, ${count(written)} out`,
    ...money(result.cost_usd, result.cost_estimated),
    duration(result.duration_seconds),
  ].join(" · ");
}

/** Warnings that are not shown: a line that Codex prints in every run, and refusals, which get a separate line. */
const UNSHOWN = /^Reading (?:additional input|prompt) from stdin\.\.\.$|^permission-denied: /;

function warningLines({ warnings }: RunAnswer, paint: Paint): string[] {
  const lines = warnings.flatMap(
    (warning) =>
      warning
        .trim()
        .split("\n")
        .find((line) => !UNSHOWN.test(line)) ?? [],
  );
  const shown = lines
    .slice(0, MAX_WARNINGS)
    .map((line) => `${paint.yellow("warning")}: ${line.slice(0, MAX_WARNING_CHARS)}`);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, paint.dim(`and ${plural(more, "more warning")}`)];
}

/** The agent's text, and a short report below the text; empty for a run that never started. */
export function runReport(result: RunAnswer, paint: Paint): string {
  if (result.metadata["ended"] === "not-started") return "";
  const { output, permission_denials: denials, session_id: session, raw_messages_path: path } = result;
  return [
    ...(output.trim() === "" ? [] : [output.trimEnd(), ""]),
    paint.dim(summaryLine(result)),
    ...(session === null ? [] : [paint.dim(`session ${session}`)]),
    ...(denials.length === 0 ? [] : [`${plural(denials.length, "tool call")} denied: ${deniedTools(result)}`]),
    ...warningLines(result, paint),
    ...(path === undefined ? [] : [`All events are in ${path}`]),
  ].join("\n");
}

function deniedTools({ permission_denials: denials }: RunAnswer): string {
  const names = denials.map((denial) => denial["tool_name"]).filter((name) => typeof name === "string");
  return [...new Set(names)].join(", ");
}
