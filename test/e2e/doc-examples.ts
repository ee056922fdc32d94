import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** A fenced block of a page. */
export interface Block {
  /** The page, from the folder `docs`. */
  readonly page: string;
  /** The word behind the fence. */
  readonly language: string;
  /** Further words behind the fence: the machine on which the block is run, or the machine and the file that it is. */
  readonly place: readonly string[];
  readonly text: string;
}

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Pages that people wrote; the examples of generated ones are those of the verbs and run elsewhere. */
const pages = (): string[] =>
  readdirSync(DOCS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(DOCS, join(entry.parentPath, entry.name)))
    .filter((page) => !page.startsWith("generated"))
    .toSorted();

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(DOCS, page), "utf8");
  const fences = text.matchAll(/^```(\w*)(?: ([\w. ]+))?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language = "", place = "", body = ""]) => ({
    page,
    language,
    place: place.split(" ").filter(Boolean),
    text: body,
  }));
}

export const docBlocks = (): Block[] => pages().flatMap(blocksOf);

/** Whether a block is a shell example: it calls claw from its first line on. */
export const callsClaw = ({ text }: Block): boolean => /^(?:export .*\n)?(?:.*\| *)?claw /.test(text);
