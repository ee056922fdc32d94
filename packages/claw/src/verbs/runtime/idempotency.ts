import { createHash } from "node:crypto";
import { readdirSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "claw-contract";
import { ClawError, LIMITS, parseObject } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import {
  acquireLock,
  clawFolder,
  errnoOf,
  PRIVATE_FOLDER,
  readSmallFile,
  withFileErrors,
  writeFileAtomically,
  unlessRefused,
} from "../../files/index.ts";
import type { Ports } from "./handle.ts";

export interface KeyedCall {
  readonly verb: string;
  readonly key: string;
  readonly input: JsonObject;
  /** Members of the answer that are secrets; they are not remembered. */
  readonly shownOnce: readonly string[];
}

interface KeyRecord {
  readonly call: string;
  /** Null while the call runs, and for ever when it was cut off. */
  readonly data: JsonObject | null;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

const BROKEN_RECORD: KeyRecord = { call: "", data: null };

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * Reads the record of a key; undefined when there is none. A record without a valid form was cut off during the write.
 */
function readKeyRecord(path: string): KeyRecord | undefined {
  const file = readSmallFile(path, MAX_RECORD_BYTES);
  if (file.kind === "absent") return undefined;
  const record = file.kind === "text" ? (parseObject(file.text) as KeyRecord | undefined) : undefined;
  return typeof record?.call === "string" ? record : BROKEN_RECORD;
}

type KeyProblem = "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_BUSY" | "IDEMPOTENCY_OUTCOME_UNKNOWN";

function keyError(code: KeyProblem, call: KeyedCall, why: string): ClawError {
  return new ClawError(code, `idempotency key '${call.key}' ${why}`, {
    operation: "check_idempotency_key",
    target: call.key,
  });
}

/**
 * The stored answer to the same call, with the effect `noop`. Throws when the key belongs to another or a broken call.
 */
function replay(record: KeyRecord, call: KeyedCall, fingerprint: string): JsonObject {
  if (record === BROKEN_RECORD || (record.data === null && record.call === fingerprint)) {
    throw keyError("IDEMPOTENCY_OUTCOME_UNKNOWN", call, "belongs to a call that was cut off");
  }
  if (record.call !== fingerprint || record.data === null) {
    throw keyError("IDEMPOTENCY_KEY_REUSED", call, "was used for another call");
  }
  return { ...record.data, effect: "noop" };
}

/** Removes keys that are older than the retention time. A failed removal is no error. */
function prune(folder: string): void {
  const horizon = Date.now() - LIMITS.idempotencyRetentionMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    unlessRefused(() => {
      const stats = statSync(path);
      if (stats.isFile() && stats.mtimeMs < horizon) unlinkSync(path);
    });
  }
}

/** Removes folders this call made, as far as they stayed empty. */
function removeEmpty(files: FileSystem, folder: string, first: string | undefined): void {
  if (first === undefined) return;
  unlessRefused(() => {
    for (let path = folder; path.startsWith(first); path = dirname(path)) files.rmdirSync(path);
  });
}

/**
 * Runs a mutation at most once for its key. A repeated call gets the first answer; a failed call leaves the key free. A
 * call that died midway leaves its key taken, because the progress of the call is unknown.
 */
export async function runOnce(call: KeyedCall, ports: Ports, run: () => Promise<JsonObject>): Promise<JsonObject> {
  const folder = clawFolder(ports.cwd, "idempotency", ports.files);
  const path = join(folder, `${hash(call.key)}.json`);
  const options = { recursive: true, mode: PRIVATE_FOLDER } as const;
  const made = withFileErrors("create", folder, () => ports.files.mkdirSync(folder, options));
  const attempt = await acquireLock(ports.files, { path: `${path}.lock`, waitMs: LIMITS.lockWaitMs }, ports.signal);
  if (attempt.kind === "held") throw keyError("IDEMPOTENCY_KEY_BUSY", call, "belongs to a call that still runs");
  try {
    const fingerprint = hash(JSON.stringify([call.verb, call.input]));
    const record = readKeyRecord(path);
    if (record !== undefined) return replay(record, call, fingerprint);
    prune(folder);
    return await runAndRemember({ path, fingerprint, shownOnce: call.shownOnce }, ports, run);
  } finally {
    attempt.lock.release();
    removeEmpty(ports.files, folder, made);
  }
}

async function runAndRemember(
  {
    path,
    fingerprint,
    shownOnce,
  }: Pick<KeyedCall, "shownOnce"> & { readonly path: string; readonly fingerprint: string },
  { files, notes }: Ports,
  run: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const store = (data: JsonObject | null): void =>
    writeFileAtomically(files, path, JSON.stringify({ call: fingerprint, data } satisfies KeyRecord));
  withFileErrors("write", path, () => store(null));
  let data: JsonObject;
  try {
    data = await run();
  } catch (error) {
    files.unlinkSync(path);
    throw error;
  }
  const hidden = shownOnce.filter((name) => Object.hasOwn(data, name));
  try {
    store({ ...data, ...Object.fromEntries(hidden.map((name) => [name, null])) });
  } catch (error) {
    // The work is done and must be reported; only its repetition can no longer be recognised.
    notes.warn(`IDEMPOTENCY_KEY_NOT_STORED: ${errnoOf(error) ?? "unknown"}`);
  }
  return data;
}
