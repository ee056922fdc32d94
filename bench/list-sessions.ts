import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sizeOf } from "./effort.ts";
import { bytesRead, countsBytes } from "./bytes-read.ts";
import { runClaw } from "./child.ts";
import { fastest, interleave, median } from "./measure.ts";
import type { Writer } from "./session-folder.ts";
import { fillStore, SESSION_BYTES, sessionText } from "./session-folder.ts";
import type { Bar, Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { requireDisk, withTempFolder } from "./temp-folder.ts";

const ROUNDS = sizeOf(15, 1);
const FEW = 50;
const MANY = sizeOf(10_000, 100);
const CALL = ["list-sessions", "--limit", String(FEW), "--output-format", "json"];

/** Files in whole blocks, and a tenth more for the disk's own book-keeping. */
const DISK_BYTES = (FEW + MANY) * (SESSION_BYTES + 4096) * 1.1;

interface Answer {
  readonly total_count: number;
  readonly sessions: readonly { readonly message_count: number | null }[];
}

interface Stores {
  readonly few: string;
  readonly many: string;
}

async function fillStores(folder: string, writer: Writer, progress: Progress): Promise<Stores> {
  const stores = { few: join(folder, "few"), many: join(folder, "many") };
  const text = await sessionText(folder, writer);
  for (const [cwd, count] of [
    [stores.few, FEW],
    [stores.many, MANY],
  ] as const) {
    progress(`storing ${count} sessions of ${writer === "claw" ? "claw" : "another program"}`);
    mkdirSync(cwd);
    await fillStore(cwd, text, count);
    await checkAnswer(cwd, count);
  }
  return stores;
}

/** A figure is worth nothing unless the call answered what was asked. */
async function checkAnswer(cwd: string, stored: number): Promise<void> {
  const { sessions, total_count } = JSON.parse(await runClaw(CALL, { cwd })) as Answer;
  const counted = sessions.every((session) => (session.message_count ?? 0) > 0);
  if (sessions.length === FEW && total_count === stored && counted) return;
  throw new Error(`list-sessions over ${stored} sessions answered ${sessions.length} of ${total_count}`);
}

async function timeRows(stores: Stores, writer: Writer, bar: Bar | undefined, progress: Progress): Promise<Row[]> {
  const { few, many } = stores;
  const label = writer === "claw" ? "sessions" : "foreign sessions";
  const timings = await interleave(
    { few: () => runClaw(CALL, { cwd: few }), many: () => runClaw(CALL, { cwd: many }) },
    ROUNDS,
    progress,
  );
  const unit = `× the time over ${FEW}`;
  return [
    row(`${FEW} of ${FEW} ${label}`, median(timings.few), "ms"),
    row(`${FEW} of ${MANY} ${label}`, median(timings.many), "ms"),
    row(`${FEW} of ${MANY} ${label}`, median(timings.many) / median(timings.few), unit, bar),
    row(`${FEW} of ${MANY} ${label}, fastest runs`, fastest(timings.many) / fastest(timings.few), unit),
  ];
}

async function byteRows({ few, many }: Stores, scratch: string, progress: Progress): Promise<Row[]> {
  if (!countsBytes()) {
    progress("this system does not count what a process reads; that figure is left out");
    return [];
  }
  const readFew = await bytesRead(CALL, { cwd: few }, scratch);
  const readMany = await bytesRead(CALL, { cwd: many }, scratch);
  return [
    row(`read to list ${FEW} of ${FEW} sessions`, readFew / 1e6, "MB"),
    row(`read beyond that for ${FEW} of ${MANY}`, Math.abs(readMany - readFew) / 1e6, "MB", { atMost: 2 }),
  ];
}

function measureWriter(writer: Writer, bar: Bar | undefined, progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    requireDisk(folder, DISK_BYTES);
    const stores = await fillStores(folder, writer, progress);
    const rows = await timeRows(stores, writer, bar, progress);
    return writer === "claw" ? [...rows, ...(await byteRows(stores, folder, progress))] : rows;
  });
}

/** Listing one page must not cost more the more sessions are stored. */
export async function listSessions(progress: Progress): Promise<Row[]> {
  const own = await measureWriter("claw", { atMost: 3 }, progress);
  return [...own, ...(await measureWriter("other", undefined, progress))];
}
