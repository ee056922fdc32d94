import type { SlashCommand } from "../slash-commands/command.ts";
import type { LineCompletion } from "../../runtime/screen.ts";

export interface CompletionSources {
  readonly commands: readonly SlashCommand[];
  /** Paths from the working folder. Never rejects. */
  readonly files: () => Promise<readonly string[]>;
  /** Resources of MCP servers as `server:uri`. Never rejects. */
  readonly resources: () => Promise<readonly string[]>;
}

const NO_COMPLETION: LineCompletion = { start: 0, candidates: [] };

const quoteMention = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/**
 * Ranks a path: 0 when the path begins with the text, 1 when the file name does, 2 when the path contains the text,
 * else 3.
 */
function rank(path: string, wanted: string): number {
  const lower = path.toLowerCase();
  if (lower.startsWith(wanted)) return 0;
  if (lastPart(lower).startsWith(wanted)) return 1;
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

/** The unfinished mention at the end of a text: where the mention begins, and the part typed so far. */
function mentionIn(before: string): { readonly start: number; readonly typed: string } | undefined {
  // A mention contains no line end, and no quote except the opening quote.
  const free = Math.max(before.lastIndexOf('"'), before.lastIndexOf("\n"));
  const typed = before.slice(free + 1);
  if (/^\s?@"$/.test(before.slice(Math.max(0, free - 2), free + 1))) return { start: free - 1, typed };
  const word = before.slice(Math.max(0, free)).split(/\s/).at(-1) ?? "";
  return word.startsWith("@") ? { start: before.length - word.length, typed: word.slice(1) } : undefined;
}

/** Completions at the cursor: a slash command at the beginning of the text, a file or a resource behind an `@`. */
export async function completeLine(text: string, cursor: number, sources: CompletionSources): Promise<LineCompletion> {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before)?.[1];
  if (command !== undefined) {
    const names = sources.commands
      .map(({ name }) => name)
      .filter((name) => name.toLowerCase().startsWith(command.toLowerCase()));
    return { start: 0, candidates: names.map((name) => `/${name}`) };
  }
  const mention = mentionIn(before);
  if (mention === undefined) return NO_COMPLETION;
  const named = (await Promise.all([sources.files(), sources.resources()])).flat();
  const candidates = matching(named, mention.typed).map(quoteMention);
  return { start: mention.start, candidates };
}
