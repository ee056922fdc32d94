import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { resolvePath } from "../resolve-path.ts";
import type { Workspace } from "../workspace.ts";
import { READ_COMMANDS } from "./read-commands.ts";
import { splitCommand } from "./split-command.ts";

const WORD_BREAKS = /[\s;|&<>()`$={}"',]+/u;

function realPath(word: string, cwd: string): string | null {
  try {
    return resolvePath(word, { cwd });
  } catch (error) {
    // The word cannot name a file.
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Whether all commands of a line only read files. */
function onlyReads(command: string): boolean {
  const line = splitCommand(command);
  return line.kind === "simple" && line.segments.every(({ words: [name] }) => Object.hasOwn(READ_COMMANDS, name));
}

/**
 * Files that the words of a command line could name: each path as written, and with links followed. Names that are put
 * together only when the command runs are missing; the sandbox protects those files.
 */
export function pathsMeant(command: string, kind: "read" | "write", { root }: Workspace): string[] {
  if (kind === "write" && onlyReads(command)) return [];
  const spellings = [command, command.replaceAll(/["'\\]/g, "")];
  const words = new Set(spellings.flatMap((text) => text.split(WORD_BREAKS)));
  return [...words].flatMap((word) => {
    if (word === "" || word.length > LIMITS.ruleChars) return [];
    const real = realPath(word, root);
    return real === null ? [join(root, word)] : [join(root, word), real];
  });
}
