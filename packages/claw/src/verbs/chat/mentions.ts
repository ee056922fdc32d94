import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { LIMITS, trimEndOf } from "@claw/contract";
import { errnoOf } from "../../files/index.ts";

const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** What a mention names inside of the folder, as a path from there; undefined for anything else. */
function find(name: string, root: string): string | undefined {
  try {
    const real = realpathSync(resolve(root, name));
    const way = relative(root, real);
    if (way === "" || isAbsolute(way) || way === ".." || way.startsWith("../")) return undefined;
    return statSync(real).isDirectory() ? `${way}/` : way;
  } catch (error) {
    // No such file, a name too long, no access: then it is only a word.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The same word without what ends a sentence behind it. */
const candidates = (word: string): string[] => [word, trimEndOf(word, ".,;:!?)]}'\"")];

/** Files and folders of the working folder that a prompt names with `@`, each once. */
export function mentionedFiles(prompt: string, cwd: string): readonly string[] {
  const root = realpathSync(cwd);
  const found = new Set<string>();
  for (const [, quoted, word = ""] of prompt.matchAll(MENTION)) {
    if (found.size >= LIMITS.mentions) break;
    const names = quoted === undefined ? candidates(word) : [quoted];
    const path = names.filter((name) => !name.includes("\0")).flatMap((name) => find(name, root) ?? [])[0];
    if (path !== undefined) found.add(path);
  }
  return [...found];
}

/** The prompt, and behind it what its `@` mean. Their contents are for the agent to read. */
export function withMentions(prompt: string, cwd: string): string {
  const files = mentionedFiles(prompt, cwd);
  return files.length === 0 ? prompt : `${prompt}\n\n(@ names these in the working folder: ${files.join(", ")})`;
}
