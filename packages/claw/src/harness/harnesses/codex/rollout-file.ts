import { createReadStream, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@claw/contract";
import { LIMITS } from "@claw/contract";
import { textOf } from "../../json-fields.ts";
import { readLine } from "../../read-line.ts";
import { createTextLines } from "../../text-lines.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Codex keeps a thread in `sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl`. */
const FOLDER_LEVELS = 3;

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    // A folder that is not there, or is a file, holds no threads.
    return [];
  }
};

/** Looks at the newest days first: most threads that are asked for have just ended. */
function search(folder: string, ending: string, levels: number): string | undefined {
  const names = namesIn(folder);
  if (levels === 0) {
    const name = names.find((candidate) => candidate.endsWith(ending));
    return name === undefined ? undefined : join(folder, name);
  }
  for (const name of names) {
    const found = search(join(folder, name), ending, levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The file in which Codex wrote down a thread; undefined when there is none. */
export function findRollout(threadId: string, env: Env): string | undefined {
  const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? homedir(), ".codex");
  return search(join(home, "sessions"), `-${threadId}.jsonl`, FOLDER_LEVELS);
}

/**
 * The records of a thread's file whose type is one of these, in order: `{ type, payload }`. Throws when the file cannot
 * be read. A line that is too long or no JSON is left out.
 */
export async function* readRollout(path: string, types: ReadonlySet<string>): AsyncGenerator<JsonObject> {
  const lines = createTextLines(LIMITS.runLineBytes);
  for await (const chunk of createReadStream(path)) yield* recordsOf(lines.push(chunk as Buffer), types);
  yield* recordsOf(lines.end(), types);
}

function* recordsOf(lines: readonly unknown[], types: ReadonlySet<string>): Generator<JsonObject> {
  for (const line of lines) {
    const record = typeof line === "string" ? readLine(line) : "nothing";
    if (typeof record === "object" && types.has(textOf(record["type"]))) yield record;
  }
}
