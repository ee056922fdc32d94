import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endChild, memoryBytesOf } from "./bus/server.ts";
import { runClaw } from "./child.ts";
import { median } from "./measure.ts";
import type { Row } from "./suite.ts";
import { row } from "./suite.ts";

const WORKERS = 3;
const UNIT = "× an idle process with one connection";
const HANG = ["spawn", "--harness", "fake", "--scenario", "hang", "--wait", "boot", "wait"] as const;

/** Holds one connection and does nothing. */
const IDLE = "net.connect(process.argv[1]).on('connect', () => console.log('connected'))";

interface Megabytes {
  /** As `ps` shows it, with the program that processes share. */
  readonly whole: number;
  readonly own: number;
}

const megabytesOf = (pid: number): Megabytes => ({
  whole: memoryBytesOf(pid, "VmRSS") / 1e6,
  own: memoryBytesOf(pid) / 1e6,
});

async function idleMegabytes(cwd: string, socket: string): Promise<Megabytes> {
  const env = { PATH: process.env["PATH"], HOME: cwd };
  const child = spawn(process.execPath, ["-e", IDLE, socket], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    return megabytesOf(child.pid ?? 0);
  } finally {
    await endChild(child);
  }
}

/** Pids of the worker processes of a folder's daemon. */
function workerPids(cwd: string): number[] {
  const folder = join(cwd, ".claws", "workers");
  return readdirSync(folder).flatMap((name) => {
    const { pid } = JSON.parse(readFileSync(join(folder, name, "process.json"), "utf8")) as { readonly pid: number };
    return Number.isInteger(pid) ? [pid] : [];
  });
}

/** What the process beside an agent costs that works, against the least a process on Node with one connection can. */
export async function workerMemory(cwd: string): Promise<Row[]> {
  const before = new Set(workerPids(cwd));
  for (let count = 0; count < WORKERS; count += 1) await runClaw(HANG, { cwd });
  const idle = await idleMegabytes(cwd, join(cwd, ".claws", "claws.sock"));
  const busy = workerPids(cwd)
    .filter((pid) => !before.has(pid))
    .map(megabytesOf);
  const whole = median(busy.map((memory) => memory.whole));
  const own = median(busy.map((memory) => memory.own));
  return [
    row("memory of a worker's process", whole, "MB"),
    row("memory of a worker's process", whole / idle.whole, UNIT, { atMost: 1.25 }),
    row("memory of a worker's process, without what is shared", own, "MB"),
    row("memory of a worker's process, without what is shared", own / idle.own, UNIT),
  ];
}
