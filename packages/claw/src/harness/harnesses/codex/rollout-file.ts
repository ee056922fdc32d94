import { closeSync, createReadStream, openSync, readdirSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { Environment, JsonObject } from "claw-contract";
import { LIMITS, objectOf, stringOrNull, textOf } from "claw-contract";
import { readStreamLine } from "../../stream/text-lines.ts";
import { createTextLines } from "../../stream/text-lines.ts";

/** Codex keeps a thread in `sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl`. */
const FOLDER_LEVELS = 3;

const newestFirst = (folder: string): string[] => {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    // A folder that is not there, or is a file, holds no threads.
    return [];
  }
};

/** Looks at the newest days first: most threads that are asked for have just ended. */
function search(folder: string, ending: string, levels: number): string | undefined {
  const names = newestFirst(folder);
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
export function findRollout(threadId: string, env: Environment): string | undefined {
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
    const record = typeof line === "string" ? readStreamLine(line) : "nothing";
    if (typeof record === "object" && types.has(textOf(record["type"]))) yield record;
  }
}

const ROLLOUT = /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** The thread that a file is about; undefined for a file that is no rollout. */
export const threadOfRollout = (path: string): string | undefined => ROLLOUT.exec(basename(path))?.[1];

/** Rollouts of the day of this one, and of all later days. */
export function laterRollouts(path: string): readonly string[] {
  const day = dirname(path);
  const root = join(day, "../../..");
  const days = newestFirst(root).flatMap((year) =>
    newestFirst(join(root, year)).flatMap((month) =>
      newestFirst(join(root, year, month)).map((name) => join(year, month, name)),
    ),
  );
  const since = relative(root, day);
  return days
    .filter((name) => name >= since)
    .flatMap((name) => newestFirst(join(root, name)).map((file) => join(root, name, file)))
    .filter((file) => file !== path && threadOfRollout(file) !== undefined);
}

/** The first line holds the instructions of the thread, which are long. */
const FIRST_LINE_BYTES = 1024 * 1024;

/**
 * The thread that started a rollout's thread for a part of its work; null when a person did, undefined while the file
 * has no whole line.
 */
export function parentOfRollout(path: string): string | null | undefined {
  const text = readBeginning(path);
  const end = text.indexOf("\n");
  if (end === -1) return undefined;
  const line = readStreamLine(text.slice(0, end));
  return typeof line === "object" ? stringOrNull(objectOf(line["payload"])["parent_thread_id"]) : null;
}

function readBeginning(path: string): string {
  try {
    const fd = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, FIRST_LINE_BYTES, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    // The file is Codex's and may go at any time.
    return "";
  }
}
