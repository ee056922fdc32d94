import type { JsonObject } from "claw-contract";
import { MARK_TYPE, parseObject } from "claw-contract";
import type { Harness } from "../../../harness/index.ts";
import { createStreamState } from "../../../harness/index.ts";
import type { LogEntry } from "./log-entry.ts";
import { entry, entryLine } from "./log-entry.ts";
import { markEntries } from "./mark-entries.ts";
import { createRunStory } from "./run-story.ts";

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
