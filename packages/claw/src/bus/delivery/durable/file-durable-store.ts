import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LIMITS, parseJson } from "claw-contract";
import { fileError, PRIVATE_FILE, PRIVATE_FOLDER, readSmallFile, withFileErrors } from "../../../files/index.ts";
import type { DurableRecord, DurableStore } from "./durable-store.ts";

const ENDING = ".json";

/** Names that differ only in case get different files, also on file systems that ignore case. */
const fileOf = (name: string): string =>
  `${name.replaceAll(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}${ENDING}`;

function readRecord(path: string, report: (problem: string) => void): DurableRecord | undefined {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  const record = file.kind === "text" ? (parseJson(file.text) as Partial<DurableRecord> | null | undefined) : undefined;
  const { name, topic, epoch, acked } = record ?? {};
  const isWhole = [name, topic, epoch].every((field) => typeof field === "string") && Number.isSafeInteger(acked);
  if (isWhole) return { name, topic, epoch, acked } as DurableRecord;
  report(`${path} is not a record of a durable subscription: its reader begins at the start again`);
  return undefined;
}

/** Makes a new name in a folder survive a power cut. */
async function syncNames(directory: string): Promise<void> {
  const folder = await open(directory, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function replaceFile(directory: string, record: DurableRecord): Promise<void> {
  const path = join(directory, fileOf(record.name));
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, "w", PRIVATE_FILE);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/**
 * Writes one record at a time. Of the records saved during a write, only the newest is written; all their promises
 * settle with that write.
 */
function createWriter(write: (record: DurableRecord) => Promise<void>): (record: DurableRecord) => Promise<void> {
  let running: Promise<void> | undefined;
  let next: { record: DurableRecord; done: Promise<void> } | undefined;
  const start = (record: DurableRecord): Promise<void> => {
    const done = write(record).finally(() => {
      if (running === done) running = undefined;
    });
    running = done;
    return done;
  };
  return (record) => {
    if (running === undefined) return start(record);
    if (next !== undefined) {
      next.record = record;
      return next.done;
    }
    const begin = (): Promise<void> => {
      const latest = next?.record ?? record;
      next = undefined;
      return start(latest);
    };
    next = { record, done: running.then(begin, begin) };
    return next.done;
  };
}

function readRecords(directory: string, report: (problem: string) => void): Map<string, DurableRecord> {
  return withFileErrors("open", directory, () => {
    mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const names = readdirSync(directory);
    // Temporary files of a process that died while writing.
    for (const name of names.filter((file) => file.endsWith(".tmp"))) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
    const files = names.filter((file) => file.endsWith(ENDING));
    const read = files.flatMap((file) => readRecord(join(directory, file), report) ?? []);
    return new Map(read.map((record) => [record.name, record]));
  });
}

/** One small file for each durable subscription, replaced whole. A file that cannot be read counts as none. */
export function openDurableStore(directory: string, report: (problem: string) => void = () => undefined): DurableStore {
  const stored = readRecords(directory, report);
  const records = new Map(stored);
  const write = async (record: DurableRecord): Promise<void> => {
    await replaceFile(directory, record);
    if (!stored.has(record.name)) await syncNames(directory);
    stored.set(record.name, record);
  };
  const writers = new Map<string, ReturnType<typeof createWriter>>();
  const writerOf = (name: string): ReturnType<typeof createWriter> => {
    const writer = writers.get(name) ?? createWriter(write);
    writers.set(name, writer);
    return writer;
  };
  const takeBack = (record: DurableRecord): void => {
    if (records.get(record.name) !== record) return;
    const before = stored.get(record.name);
    if (before === undefined) records.delete(record.name);
    else records.set(record.name, before);
  };
  return {
    get: (name) => records.get(name),
    count: () => records.size,
    save: async (record) => {
      if (isDeepStrictEqual(stored.get(record.name), record) && records.get(record.name) === stored.get(record.name)) {
        return;
      }
      records.set(record.name, record);
      try {
        await writerOf(record.name)(record);
      } catch (error) {
        takeBack(record);
        throw fileError(error, "save", join(directory, fileOf(record.name)));
      }
    },
  };
}
