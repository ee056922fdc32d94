import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isListening } from "../../packages/claw/src/process/testing/json-lines.ts";
import { runNode } from "../../bench/child.ts";
import type { FilesRun } from "./files-run.ts";
import { createCoverageReader, joinRuns } from "./files-run.ts";

export interface WalkFiles {
  /** `claw publish`, twice, and all that the daemon does now and then. */
  readonly publish: FilesRun;
  /** `claw spawn` and the worker until it has ended, then `claw ps`, in all processes but the agent's. */
  readonly spawn: FilesRun;
}

const POLL_MS = 20;
/** In this time everything that the daemon does now and then becomes due; it would fall into the spawn by chance. */
const LEFT_ALONE_MS = 6_000;
const COVERAGE = "NODE_V8_COVERAGE";
/** V8 counts nothing in code that it compiled in an earlier process. */
const NO_CACHE = { XDG_CACHE_HOME: "/dev/null" } as const;
const PUBLISH = ["publish", "cmd.role.worker", '{"command":"pause"}'] as const;
const JSON_OUTPUT = ["--output-format", "json"] as const;

/** The daemon writes what it ran since the last time when it gets this signal. */
const WRITE_COVERAGE = `process.on("SIGUSR2", () => require("node:v8").takeCoverage());`;

const isFrom = (pid: number | undefined) => (name: string) => name.startsWith(`coverage-${pid}-`);

interface Place {
  readonly binary: string;
  readonly cwd: string;
  /** Where the daemon, and what it starts, writes coverage. */
  readonly coverage: string;
}

async function startDaemon({ binary, cwd, coverage }: Place): Promise<ChildProcess> {
  const preload = join(cwd, "write-coverage.cjs");
  writeFileSync(preload, WRITE_COVERAGE);
  const daemon = spawn(process.execPath, ["--require", preload, binary, "up", "--foreground", ...JSON_OUTPUT], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...NO_CACHE, [COVERAGE]: coverage },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isListening(join(cwd, ".claws", "claws.sock")))) {
    if (daemon.exitCode !== null) throw new Error("the daemon ended at once");
    await delay(POLL_MS);
  }
  return daemon;
}

/** Makes the daemon write its coverage. Resolves with the name of the file. */
async function takeCoverage(daemon: ChildProcess, folder: string): Promise<string> {
  const written = (): string[] => readdirSync(folder).filter(isFrom(daemon.pid));
  const before = new Set(written());
  daemon.kill("SIGUSR2");
  for (;;) {
    const name = written().find((each) => !before.has(each));
    if (name !== undefined) return name;
    await delay(POLL_MS);
  }
}

async function untilFinished(claw: (...argv: string[]) => Promise<string>): Promise<void> {
  for (;;) {
    const { workers } = JSON.parse(await claw("ps", ...JSON_OUTPUT)) as { workers: readonly { state: string }[] };
    if (workers.length > 0 && workers.every(({ state }) => state === "finished")) return;
    await delay(POLL_MS);
  }
}

/** Plays a publish, then a spawn, with a readable build of a tree, in an empty folder. */
export async function playSpawn(tree: string, cwd: string): Promise<WalkFiles> {
  const binary = join(tree, "packages/claw/bin/claw.cjs");
  const folderOf = (name: string): string => join(cwd, `coverage-of-${name}`);
  const coverage = folderOf("daemon");
  mkdirSync(coverage);
  const claw = (name: string, ...argv: string[]): Promise<string> =>
    runNode([binary, ...argv], { cwd, env: { ...NO_CACHE, [COVERAGE]: folderOf(name) } });
  const daemon = await startDaemon({ binary, cwd, coverage });
  const ended = once(daemon, "exit");
  try {
    await takeCoverage(daemon, coverage);
    for (let time = 0; time < 2; time += 1) {
      await claw("publish", ...PUBLISH);
      await delay(LEFT_ALONE_MS);
    }
    const published = await takeCoverage(daemon, coverage);
    await claw("spawn", "spawn", "--harness", "fake", "--scenario", "text", "hello");
    await untilFinished((...argv) => claw("polls", ...argv));
    await claw("ps", "ps");
    const spawned = await takeCoverage(daemon, coverage);
    daemon.kill("SIGTERM");
    await ended;
    const read = createCoverageReader(tree);
    const isWorkers = (name: string): boolean => !isFrom(daemon.pid)(name);
    return {
      publish: joinRuns([read(folderOf("publish")), read(coverage, (name) => name === published)]),
      spawn: joinRuns([
        read(folderOf("spawn")),
        read(folderOf("ps")),
        read(coverage, (name) => name === spawned || isWorkers(name)),
      ]),
    };
  } finally {
    daemon.kill("SIGTERM");
    await ended;
  }
}
