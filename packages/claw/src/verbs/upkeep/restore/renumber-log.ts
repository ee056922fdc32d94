import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LF, LIMITS } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { readSmallFile, withFileErrors, writeFileAtomically } from "../../../files/index.ts";

type Numbers = Record<string, number>;

const EPOCH_DIGITS = 4;
/** A larger snapshot is left as it is: the daemon then reads the log instead. */
const SNAPSHOT_BYTES = 1024 * 1024 * 1024;

function readJson(path: string): Record<string, unknown> {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  try {
    return file.kind === "text" ? (JSON.parse(file.text) as Record<string, unknown>) : {};
  } catch {
    // A damaged file counts as none, as it does for the daemon.
    return {};
  }
}

const numbersIn = (path: string): Numbers =>
  Object.fromEntries(
    Object.entries(readJson(path)).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
  );

const epochIn = (claws: string): number => {
  const { epoch } = readJson(join(claws, "log", "meta.json"));
  return /^\d{4}$/.test(String(epoch)) ? Number(epoch) : (numbersIn(join(claws, "counters.json"))["epoch"] ?? 0);
};

/** The numbers of both folders, each the higher: a number that was given out in one of them is not used again. */
function mergeNumbers(one: Numbers, other: Numbers): Numbers {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]));
}

/** A snapshot, as text, for a log of another epoch: its first line names the epoch, its last line seals all before. */
export function withEpoch(bytes: Buffer, epoch: string): Buffer {
  const headEnd = bytes.indexOf(LF) + 1;
  const sealAt = bytes.lastIndexOf(LF, -2) + 1;
  const head = JSON.parse(bytes.toString("utf8", 0, headEnd)) as object;
  const body = Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, epoch })}\n`), bytes.subarray(headEnd, sealAt)]);
  const sha256 = createHash("sha256").update(body).digest("hex");
  return Buffer.concat([body, Buffer.from(`${JSON.stringify({ sha256 })}\n`)]);
}

/** Whether the digest in a snapshot's last line matches; a damaged snapshot must not become a good one. */
function isWhole(bytes: Buffer): boolean {
  const sealAt = bytes.lastIndexOf(LF, -2) + 1;
  const sha256 = createHash("sha256").update(bytes.subarray(0, sealAt)).digest("hex");
  return sealAt > 0 && bytes.toString("utf8", sealAt) === `${JSON.stringify({ sha256 })}\n`;
}

function renameSnapshots(fs: FileSystem, folder: string, epoch: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (!name.endsWith(".snapshot") || fs.lstatSync(path).size > SNAPSHOT_BYTES) continue;
    const bytes = readFileSync(path);
    if (isWhole(bytes)) writeFileAtomically(fs, path, withEpoch(bytes, epoch).toString("utf8"));
  }
}

/**
 * Makes a prepared `.claws` another log than the one it replaces: with a new epoch, so that no reader takes a place in
 * one log for a place in the other, and with numbers that neither gave out.
 */
export function renumberLog(fs: FileSystem, prepared: string, replaced: string): void {
  withFileErrors("restore", prepared, () => {
    if (!existsSync(join(prepared, "log"))) return;
    const number = Math.max(epochIn(prepared), epochIn(replaced)) + 1;
    const epoch = String(number).padStart(EPOCH_DIGITS, "0");
    const meta = join(prepared, "log", "meta.json");
    writeFileAtomically(fs, meta, `${JSON.stringify({ version: 1, ...readJson(meta), epoch })}\n`);
    const [counters, others] = [prepared, replaced].map((folder) => numbersIn(join(folder, "counters.json")));
    const numbers = { ...mergeNumbers(counters ?? {}, others ?? {}), epoch: number };
    writeFileAtomically(fs, join(prepared, "counters.json"), JSON.stringify(numbers));
    renameSnapshots(fs, join(prepared, "state"), epoch);
    renameSnapshots(fs, join(prepared, "moments"), epoch);
  });
}
