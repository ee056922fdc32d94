import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Observer } from "claw-client";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { sizeOf } from "./effort.ts";
import { runClaw, runNode } from "./child.ts";
import { median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const ROUNDS = sizeOf(3, 1);
const TERMINALS = sizeOf(50, 2);
const SECONDS = sizeOf(10, 1);
const BYTES_PER_SECOND = 1024 * 1024;
const MB = 1024 * 1024;

const script = (name: string): string => fileURLToPath(new URL(`terminals/${name}`, import.meta.url));

interface Fed {
  readonly bytes: number;
  readonly hashes: readonly string[];
}

interface Read {
  readonly cpuMs: number;
  readonly bytes: number;
  readonly hash: string;
}

function makePipes(cwd: string, prefix: string, count: number): string[] {
  const paths = Array.from({ length: count }, (_, index) => join(cwd, `${prefix}-${index}`));
  execFileSync("mkfifo", paths);
  return paths;
}

const feed = async (cwd: string, pipes: readonly string[]): Promise<Fed> =>
  JSON.parse(
    await runNode([script("feeder.mjs"), String(SECONDS), String(BYTES_PER_SECOND), ...pipes], { cwd }),
  ) as Fed;

/** Processor time of a process so far, in milliseconds: the sum of its threads, which the kernel counts in nanoseconds. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ranNs = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return ranNs.reduce((sum, ns) => sum + Number(ns), 0) / 1e6;
}

/** One pty, read by a loop that does nothing else. */
async function bareLoop(cwd: string): Promise<Read> {
  const [pipe = ""] = makePipes(cwd, "bare", 1);
  const reading = runNode([script("bare-loop.mjs"), pipe], { cwd });
  const { hashes } = await feed(cwd, [pipe]);
  const read = JSON.parse(await reading) as Read;
  if (read.hash !== hashes[0]) throw new Error("the bare loop lost bytes");
  return read;
}

/** Everything a terminal printed, from its files. */
function printedBy(cwd: string, id: string): Buffer {
  const folder = join(cwd, ".claws", "terminals", id);
  const segments = readdirSync(folder).filter((name) => name.endsWith(".raw"));
  return Buffer.concat(segments.toSorted().map((name) => readFileSync(join(folder, name))));
}

async function whenClosed(bus: Observer, count: number): Promise<void> {
  for (;;) {
    const { terminals } = await bus.request("list");
    if (terminals.length <= count) return;
    await delay(100);
  }
}

/** Fifty terminals of the host at the same pace in total. */
async function hosted(cwd: string): Promise<{ cpuMs: number; bytes: number; lost: number }> {
  await runClaw(["up"], { cwd });
  const bus = connectOrchestrator({ channel: unixChannel(join(cwd, ".claws", "claws.sock")), name: "bench" });
  try {
    const pipes = makePipes(cwd, "pipe", TERMINALS);
    const ids: string[] = [];
    for (const pipe of pipes) {
      const argv = ["sh", "-c", `stty raw -echo; exec cat '${pipe}'`];
      const { id } = await bus.request("create", { wrapped: true, argv, cwd });
      ids.push(id);
    }
    const { pid } = JSON.parse(readFileSync(join(cwd, ".claws", "terminals.json"), "utf8")) as { pid: number };
    const before = cpuMsOf(pid);
    const { bytes, hashes } = await feed(cwd, pipes);
    await whenClosed(bus, 0);
    const cpuMs = cpuMsOf(pid) - before;
    const same = ids.map((id) => createHash("sha256").update(printedBy(cwd, id)).digest("hex"));
    return { cpuMs, bytes, lost: same.filter((hash, index) => hash !== hashes[index]).length };
  } finally {
    await bus.close();
    await runClaw(["down"], { cwd });
  }
}

/** What it costs to keep what fifty terminals print, against reading one pty, in turns. */
export async function terminals(progress: Progress): Promise<Row[]> {
  const rounds: { readonly barePerMb: number; readonly hostPerMb: number; readonly lost: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`round ${round} of ${ROUNDS}: reading one pty, and ${TERMINALS} terminals, for ${SECONDS} s each`);
    await withTempFolder(async (cwd) => {
      const bare = await bareLoop(cwd);
      const { cpuMs, bytes, lost } = await hosted(cwd);
      rounds.push({ barePerMb: bare.cpuMs / (bare.bytes / MB), hostPerMb: cpuMs / (bytes / MB), lost });
    });
  }
  const quotients = rounds.map(({ barePerMb, hostPerMb }) => hostPerMb / barePerMb);
  return [
    row("one pty, bare loop", median(rounds.map(({ barePerMb }) => barePerMb)), "ms CPU per MB"),
    row(`${TERMINALS} terminals`, median(rounds.map(({ hostPerMb }) => hostPerMb)), "ms CPU per MB"),
    row(`${TERMINALS} terminals`, median(quotients), "× bare loop", { atMost: 2.2 }),
    row("terminals that lost a byte", Math.max(...rounds.map(({ lost }) => lost)), "", { atMost: 0 }),
  ];
}
