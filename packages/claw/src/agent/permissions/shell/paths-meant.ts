import { join } from "node:path";
import { ClawError, LIMITS } from "@claw/contract";
import { resolvePath } from "../resolve-path.ts";
import type { Workspace } from "../workspace.ts";
import { READ_COMMANDS } from "./read-commands.ts";
import { splitCommand } from "./split-command.ts";

const WORD_BREAKS = /[\s;|&<>()`$={}"',]+/u;

function realPath(word: string, cwd: string): string | null {
  try {
    return resolvePath(word, { cwd });
  } catch (error) {
    // It names no file.
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Whether a line only reads what it names. */
function onlyReads(command: string): boolean {
  const line = splitCommand(command);
  return line.kind === "simple" && line.segments.every(({ words: [name] }) => Object.hasOwn(READ_COMMANDS, name));
}

/**
 * Files that the words of a command line could mean, as they are written and as they really are. Those which are put
 * together only when it runs are not among them: the sandbox is what keeps those.
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
