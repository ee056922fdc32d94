import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { LIMITS, trimEndOf } from "claw-contract";
import { unlessRefused } from "../../../files/index.ts";

/** A server as far as a mention of its resources needs it. */
export interface ResourceServer {
  readonly name: string;
  readonly hasResources: boolean;
}

const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** The file or folder that a mention names, as a path from `root`; undefined when there is none inside of `root`. */
function mentionedPath(name: string, root: string): string | undefined {
  // No such file, a name too long, no access: then it is only a word.
  return unlessRefused(() => {
    const real = realpathSync(resolve(root, name));
    const way = relative(root, real);
    if (way === "" || isAbsolute(way) || way === ".." || way.startsWith("../")) return undefined;
    return statSync(real).isDirectory() ? `${way}/` : way;
  });
}

/** The word as typed, and the word without the punctuation at its end. */
const candidates = (word: string): string[] => [word, trimEndOf(word, ".,;:!?)]}'\"")];

/** Files and folders of the working folder that a prompt names with `@`, each once. */
export function mentionedFiles(prompt: string, cwd: string): readonly string[] {
  const root = realpathSync(cwd);
  const found = new Set<string>();
  for (const [, quoted, word = ""] of prompt.matchAll(MENTION)) {
    if (found.size >= LIMITS.mentions) break;
    const names = quoted === undefined ? candidates(word) : [quoted];
    const path = names.filter((name) => !name.includes("\0")).flatMap((name) => mentionedPath(name, root) ?? [])[0];
    if (path !== undefined) found.add(path);
  }
  return [...found];
}

/** Resources of MCP servers that a prompt names as `@server:uri`, each once. */
export function mentionedResources(prompt: string, servers: readonly ResourceServer[]): readonly string[] {
  const names = servers.filter(({ hasResources }) => hasResources).map(({ name }) => name);
  const found = new Set<string>();
  for (const [, quoted, word = ""] of prompt.matchAll(MENTION)) {
    const text = quoted ?? trimEndOf(word, ".,;!?)]}'\"");
    const server = names.find((name) => text.startsWith(`${name}:`) && text.length > name.length + 1);
    if (server !== undefined) found.add(`${server} ${text.slice(server.length + 1)}`);
  }
  return [...found].slice(0, LIMITS.mentions);
}

/** The prompt, followed by a list of the files and resources that `@` names. The agent reads the contents later. */
export function withMentions(prompt: string, cwd: string, servers: readonly ResourceServer[]): string {
  const files = mentionedFiles(prompt, cwd);
  const resources = mentionedResources(prompt, servers);
  return [
    prompt,
    ...(files.length === 0 ? [] : [`(@ names these in the working folder: ${files.join(", ")})`]),
    ...(resources.length === 0
      ? []
      : [`(@ names these resources of MCP servers, for read_mcp_resource: ${resources.join(", ")})`]),
  ].join("\n\n");
}
