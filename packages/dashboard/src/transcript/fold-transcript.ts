import type { ReceivedReply } from "claw-contract";

export type TranscriptItem = ReceivedReply<"worker.transcript">["items"][number];

/** One thing to show. A tool has its result, which is an error when the tool failed; a tool that started a sub-agent has what the sub-agent did. */
export interface TranscriptEntry {
  readonly item: TranscriptItem;
  readonly result: TranscriptItem | null;
  readonly inside: readonly TranscriptEntry[];
}

interface Open {
  readonly item: TranscriptItem;
  result: TranscriptItem | null;
  readonly inside: Open[];
}

/**
 * Joins each call with its result, and puts what a sub-agent did below the call that started it. An item whose call is
 * not among the items stands for itself: the transcript is read in parts.
 */
export function foldTranscript(items: readonly TranscriptItem[]): readonly TranscriptEntry[] {
  const top: Open[] = [];
  const calls = new Map<string, Open>();
  for (const item of items) {
    const { kind, call, agent } = item;
    const begun = call === undefined ? undefined : calls.get(call);
    if ((kind === "result" || kind === "error") && begun !== undefined && begun.result === null) {
      begun.result = item;
      continue;
    }
    const entry: Open = { item, result: null, inside: [] };
    if (kind === "tool" && call !== undefined) calls.set(call, entry);
    const parent = agent === undefined ? undefined : calls.get(agent);
    (parent?.inside ?? top).push(entry);
  }
  return top;
}
