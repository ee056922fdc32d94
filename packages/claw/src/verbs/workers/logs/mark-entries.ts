import type { JsonObject, LifeEnd } from "claw-contract";
import { LIFE_ENDS, textOf } from "claw-contract";
import { dollars } from "../../text/dollars.ts";
import { localTime } from "../../text/times.ts";
import { plural } from "../../text/text-layout.ts";
import type { LogEntry } from "./log-entry.ts";
import { entry, entryLine } from "./log-entry.ts";

const REASON_CHARS = 1000;
const PROMPT_LINES = 12;

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const timeOf = (at: unknown): string => (Number.isNaN(Date.parse(textOf(at))) ? "" : ` · ${localTime(textOf(at))}`);

/** The beginning of a text, each line marked as something that was said to the agent. */
function saidTo(text: string): string {
  const lines = text.trimEnd().split("\n");
  const more = lines.length - PROMPT_LINES;
  const shown = more > 0 ? [...lines.slice(0, PROMPT_LINES), `… ${plural(more, "more line")}`] : lines;
  return shown.map((line) => `> ${line}`).join("\n");
}

const END_WORDS: Readonly<Record<LifeEnd, string>> = {
  complete: "done",
  failed: "failed",
  cancelled: "aborted",
  crashed: "crashed",
};

export const isLifeEnd = (value: unknown): value is LifeEnd => LIFE_ENDS.some((each) => each === value);

function endEntries(mark: JsonObject): LogEntry[] {
  const { result, reason, tool_calls: calls, total_cost_usd: usd, cost_estimated: isEstimate, at } = mark;
  if (!isLifeEnd(result)) return [];
  const cost = numberOf(usd) === 0 ? [] : [dollars(numberOf(usd), isEstimate === true)];
  const facts = [plural(numberOf(calls), "tool call"), ...cost];
  // The reason of a finished worker repeats the agent's last text, which the log already shows.
  const why = result === "complete" ? "" : `: ${entryLine(textOf(reason), REASON_CHARS) || "it did not say why"}`;
  const text = `■ ${END_WORDS[result]}${why} (${facts.join(", ")})${timeOf(at)}`;
  return entry(result === "complete" || result === "cancelled" ? "end" : "error", text);
}

function startEntries({ attempt, harness, reason, at }: JsonObject): LogEntry[] {
  const why = textOf(reason) === "" ? "" : `: ${entryLine(textOf(reason), REASON_CHARS)}`;
  return entry("start", `▶ start ${numberOf(attempt)}${why} · ${textOf(harness)}${timeOf(at)}`);
}

function answerEntries({ approved, text }: JsonObject): LogEntry[] {
  const said = entryLine(textOf(text), REASON_CHARS);
  return entry("answer", `! ${approved === true ? "allowed" : "refused"}${said === "" ? "" : `: ${said}`}`);
}

/** Entries for a mark of the worker. An unknown mark, from a newer claw, has no entries. */
export function markEntries(mark: JsonObject): LogEntry[] {
  switch (mark["subtype"]) {
    case "started":
      return startEntries(mark);
    case "prompt":
    case "told":
      return textOf(mark["text"]) === "" ? [] : entry("prompt", saidTo(textOf(mark["text"])));
    case "answered":
      return answerEntries(mark);
    case "resting":
      return entry("note", `waits for the usage limit until ${localTime(textOf(mark["until"]))}`);
    case "ended":
      return endEntries(mark);
    case "transcript_cut":
      return entry("note", "the agent said more than is kept");
    default:
      return [];
  }
}
