import type { ContentBlock, SessionMessage } from "@claw/contract";
import type { Conversation } from "../../sessions/index.ts";

const MAX_LINE = 160;
const MAX_REQUESTS = 3;
const MAX_FILES = 8;
const MAX_TIMELINE = 40;
const MAX_SUMMARY = 12_000;

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
};

const textOf = ({ blocks }: SessionMessage): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");

const blocksOf = (messages: readonly SessionMessage[]): ContentBlock[] => messages.flatMap(({ blocks }) => blocks);

/** Paths that tools were called with, the latest last. */
function filesIn(messages: readonly SessionMessage[]): string[] {
  const found = blocksOf(messages).flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const path = /"(?:file_path|path)"\s*:\s*"([^"\\]+)"/.exec(block.input)?.[1];
    return path === undefined ? [] : [path];
  });
  return [...new Set(found.toReversed())].toReversed();
}

function timelineEntry(message: SessionMessage): string[] {
  return message.blocks.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [`${message.role}: ${oneLine(block.text)}`];
    if (block.type === "tool_use") return [`called ${block.name} ${oneLine(block.input)}`];
    if (block.type === "tool_result") {
      return [`${block.tool_name} ${block.is_error ? "failed" : "answered"}: ${oneLine(block.output)}`];
    }
    return [];
  });
}

/** What is left of messages that go: who asked for what, what was touched, and one line for each step. */
export function summarise(earlier: string | null, messages: readonly SessionMessage[]): string {
  const requests = messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .filter((text) => text.trim() !== "");
  const files = filesIn(messages).slice(-MAX_FILES);
  const timeline = messages.flatMap(timelineEntry);
  const lines = [
    ...(earlier === null ? [] : ["Before that:", earlier, ""]),
    `${messages.length} earlier messages are left out. What they came to:`,
    ...requests.slice(-MAX_REQUESTS).map((text) => `- the user asked: ${oneLine(text)}`),
    ...(files.length === 0 ? [] : [`- files worked on: ${files.join(", ")}`]),
    "Step by step:",
    ...(timeline.length > MAX_TIMELINE ? [`(${timeline.length - MAX_TIMELINE} earlier steps)`] : []),
    ...timeline.slice(-MAX_TIMELINE).map((line) => `- ${line}`),
  ];
  const summary = lines.join("\n");
  // The newest matters most; what earlier summaries said shrinks with every one.
  return summary.length > MAX_SUMMARY ? `…${summary.slice(1 - MAX_SUMMARY)}` : summary;
}

/** Results belong to the calls before them: a cut never falls between the two. */
const startsWithResults = (message: SessionMessage | undefined): boolean => message?.role === "tool";

/**
 * How many of the oldest messages can go so that about `keep` remain. The cut moves towards the beginning rather than
 * separate a call from its result; 0 when nothing can go.
 */
export function cutPoint(messages: readonly SessionMessage[], keep: number): number {
  let cut = Math.max(0, messages.length - keep);
  while (cut > 0 && startsWithResults(messages[cut])) cut -= 1;
  return cut;
}

/** A conversation with its beginning replaced by a summary, and what that took. */
export interface Compaction {
  readonly removed: number;
  readonly summary: string;
}

/** Undefined when there is nothing to take away. */
export function planCompaction({ summary, messages }: Conversation, keep: number): Compaction | undefined {
  const removed = cutPoint(messages, keep);
  if (removed === 0) return undefined;
  return { removed, summary: summarise(summary, messages.slice(0, removed)) };
}

/** How the summary is told to the model. */
export const summaryMessage = (summary: string): SessionMessage => ({
  role: "system",
  blocks: [
    {
      type: "text",
      text: `The conversation so far was longer than fits. This is what its beginning came to:\n\n${summary}\n\nGo on from here without repeating it.`,
    },
  ],
});
