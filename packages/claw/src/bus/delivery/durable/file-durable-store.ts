import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS, parseJson } from "claw-contract";
import {
  fileError,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  withFileErrors,
  nodeFileSystem,
  syncData,
  syncFolderLater,
} from "../../../files/index.ts";
import type { DurableRecord, DurableStore } from "./durable-store.ts";
import { createWrittenStore } from "./written-store.ts";

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

async function replaceFile(directory: string, record: DurableRecord): Promise<void> {
  const path = join(directory, fileOf(record.name));
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, "w", PRIVATE_FILE);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await syncData(nodeFileSystem, file.fd);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
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
  return createWrittenStore(stored, async (record) => {
    try {
      await replaceFile(directory, record);
      if (!stored.has(record.name)) await syncFolderLater(nodeFileSystem, directory);
    } catch (error) {
      throw fileError(error, "save", join(directory, fileOf(record.name)));
    }
    stored.set(record.name, record);
  });
}
