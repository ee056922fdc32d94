import type { EventSpool } from "../stores/event-store.ts";

/** A spool in memory; with a problem, one that writes nothing. */
export function createMemorySpool(problem: string | null = null): EventSpool & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    path: "/memory/events.jsonl",
    lines,
    append: (line) => void (problem === null && lines.push(line)),
    appendBytes: (bytes) => void (problem === null && lines.push(...Buffer.from(bytes).toString().split("\n"))),
    problem: () => problem,
  };
}
