import type { JsonObject, LifeEnd } from "claw-contract";
import { MARK_TYPE, parseObject, LIFE_ENDS, textOf } from "claw-contract";
import type { Harness } from "../../../harness/index.ts";
import { createStreamState } from "../../../harness/index.ts";
import type { LogEntry } from "./log-source.ts";
import { entry, entryLine } from "./log-source.ts";
import { createRunStory } from "./run-story.ts";
import { dollars, plural } from "../../text/text-layout.ts";
import { localTime } from "../../text/times.ts";

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

const isLifeEnd = (value: unknown): value is LifeEnd => LIFE_ENDS.some((each) => each === value);

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
function markEntries(mark: JsonObject): LogEntry[] {
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

/** Tells what a transcript says, line by line. */
export interface TranscriptStory {
  /** Takes a line without its end. Never throws. */
  take(line: Uint8Array): LogEntry[];
  /** Nothing more comes: what the agent had begun and not ended. */
  end(): LogEntry[];
  /** Whether the last life that began has said how it ended. */
  hasEnded(): boolean;
}

const EXCERPT_CHARS = 200;

export function createTranscriptStory(harness: Harness): TranscriptStory {
  let state = createStreamState();
  let run = createRunStory();
  let hasEnded = false;
  const endRun = (): LogEntry[] => {
    const entries = harness.end(state).flatMap((update) => run.take(update));
    state = createStreamState();
    run = createRunStory();
    return entries;
  };
  const takeMark = (mark: JsonObject): LogEntry[] => {
    const { subtype } = mark;
    if (subtype === "started") hasEnded = false;
    if (subtype === "ended") hasEnded = true;
    const isBorder = subtype === "started" || subtype === "prompt" || subtype === "ended";
    return [...(isBorder ? endRun() : []), ...markEntries(mark)];
  };
  return {
    take: (line) => {
      if (line.length === 0) return [];
      const native = parseObject(Buffer.from(line).toString("utf8"));
      if (native === undefined) {
        const text = Buffer.from(line.subarray(0, EXCERPT_CHARS * 4)).toString("utf8");
        return entry("note", `(no event: ${entryLine(text, EXCERPT_CHARS)})`);
      }
      if (native["type"] === MARK_TYPE) return takeMark(native);
      return harness.translate(native, state).flatMap((update) => run.take(update));
    },
    end: endRun,
    hasEnded: () => hasEnded,
  };
}
