import { createReadStream, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isTopic, LIMITS, parseObject } from "claw-contract";
import type { NewEvent } from "../../../bus/index.ts";
import { unlessRefused } from "../../../files/index.ts";
import { isOwnFile } from "../own-folder.ts";

/** Where claws 0.8 kept its log. Under `compat` a link to this daemon's own log stands in its place. */
const oldFolder = (folder: string): string => join(folder, "events", "default");

const SEGMENT = /^(\d{4,})-.*\.jsonl$/;

const numberOf = (name: string): number => Number(SEGMENT.exec(name)?.[1] ?? 0);

/** The segments of a log that claws 0.8 left, oldest first; none when there is no such log. */
export function oldSegments(folder: string): readonly string[] {
  const path = oldFolder(folder);
  return unlessRefused(() => {
    if (!lstatSync(path).isDirectory()) return [];
    const names = readdirSync(path).filter((name) => SEGMENT.test(name) && isOwnFile(path, join(path, name)));
    return names.toSorted((a, b) => numberOf(a) - numberOf(b) || a.localeCompare(b)).map((name) => join(path, name));
  }, []);
}

/**
 * The highest number of an old segment. Old cursors begin with a segment's number, and must not be taken for cursors of
 * this log.
 */
export const oldEpoch = (folder: string): number =>
  Math.max(0, ...oldSegments(folder).map((path) => numberOf(path.slice(path.lastIndexOf("/") + 1))));

/** Reads a line of the old log; undefined for a line without a valid event. */
export function readOldLine(line: string): NewEvent | undefined {
  if (line.length > LIMITS.requestLineBytes) return undefined;
  const { topic, from, peerId, ts_server: at, payload } = parseObject(line) ?? {};
  // Records of deliveries and acknowledgements name the sender `peerId`.
  const sender = typeof from === "string" ? from : peerId;
  if (!isTopic(topic) || typeof sender !== "string" || typeof at !== "string" || Number.isNaN(Date.parse(at))) {
    return undefined;
  }
  const tsServer = new Date(at).toISOString();
  return { topic, from: sender, tsServer, payload: payload === undefined ? undefined : JSON.stringify(payload) };
}

/** The events of the old log, in its order. A line that is damaged or torn is passed over. */
export async function* readOldHistory(folder: string): AsyncGenerator<NewEvent, void, void> {
  for (const path of oldSegments(folder)) {
    for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity })) {
      const event = readOldLine(line);
      if (event !== undefined) yield event;
    }
  }
}
