import type { Command } from "../commands/command.ts";
import type { Completion } from "../screen.ts";

export interface CompletionSources {
  readonly commands: readonly Command[];
  /** Paths from the working folder. Never rejects. */
  readonly files: () => Promise<readonly string[]>;
  /** Resources of MCP servers as `server:uri`. Never rejects. */
  readonly resources: () => Promise<readonly string[]>;
}

const NOTHING: Completion = { start: 0, candidates: [] };

const quoteMention = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Paths that begin so first, then files whose names do, then whatever has it in it. */
function rank(path: string, wanted: string): number {
  const lower = path.toLowerCase();
  if (lower.startsWith(wanted)) return 0;
  if (nameOf(lower).startsWith(wanted)) return 1;
  return lower.includes(wanted) ? 2 : 3;
}

function matching(files: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const ranked = files.map((path) => ({ path, rank: rank(path, wanted) })).filter((entry) => entry.rank < 3);
  const best = Math.min(...ranked.map((entry) => entry.rank));
  return ranked
    .filter((entry) => entry.rank === best)
    .map((entry) => entry.path)
    .toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1));
}

/** The mention that a text ends with, as far as it is typed, and where it begins. */
function mentionIn(before: string): { readonly start: number; readonly typed: string } | undefined {
  // No mention goes over a quote, but the one that it begins with, or over the end of a line.
  const free = Math.max(before.lastIndexOf('"'), before.lastIndexOf("\n"));
  const typed = before.slice(free + 1);
  if (/^\s?@"$/.test(before.slice(Math.max(0, free - 2), free + 1))) return { start: free - 1, typed };
  const word = before.slice(Math.max(0, free)).split(/\s/).at(-1) ?? "";
  return word.startsWith("@") ? { start: before.length - word.length, typed: word.slice(1) } : undefined;
}

/** What could stand at the cursor: a command at the beginning of a line, a file or a resource behind an `@`. */
export async function completeLine(text: string, cursor: number, sources: CompletionSources): Promise<Completion> {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before)?.[1];
  if (command !== undefined) {
    const names = sources.commands
      .map(({ name }) => name)
      .filter((name) => name.toLowerCase().startsWith(command.toLowerCase()));
    return { start: 0, candidates: names.map((name) => `/${name}`) };
  }
  const mention = mentionIn(before);
  if (mention === undefined) return NOTHING;
  const named = (await Promise.all([sources.files(), sources.resources()])).flat();
  const candidates = matching(named, mention.typed).map(quoteMention);
  return { start: mention.start, candidates };
}
