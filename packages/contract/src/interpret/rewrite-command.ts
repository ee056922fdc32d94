import { readHistory } from "./history.ts";

/**
 * The call to make instead of `command`, by the permanent redirects remembered so far; chains are followed to their
 * end. A chain that turns in a circle has no end: then, and when nothing is remembered, `command` comes back unchanged.
 */
export function rewriteCommand(command: string, history: unknown): string {
  const targets = new Map(readHistory(history).redirects.map(({ from, to }) => [from, to]));
  const seen = new Set<string>();
  let current = command;
  for (let next = targets.get(current); next !== undefined; next = targets.get(current)) {
    if (seen.has(current)) return command;
    seen.add(current);
    current = next;
  }
  return current;
}
