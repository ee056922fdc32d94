import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isListening } from "../../packages/claw/src/process/testing/json-lines.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const RELAY = fileURLToPath(new URL("relay.mjs", import.meta.url));
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

const POLL_MS = 10;

/** A relay that writes each frame as it comes, one that gathers frames into fewer writes, and the daemon. */
export type ServerKind = "relay" | "gathering-relay" | "strict" | "relaxed";

const isRelay = (kind: ServerKind): boolean => kind === "relay" || kind === "gathering-relay";

/** A server under test, in a process of its own. */
export interface Server {
  readonly kind: ServerKind;
  readonly folder: string;
  readonly socket: string;
  /** Processor time of all its threads since it started. */
  cpuSeconds(): number;
  /** Memory that is its own, in bytes. */
  memoryBytes(): number;
  /** Resolves when the process has ended. Idempotent. */
  stop(): Promise<void>;
}

/** Fields of /proc/<pid>/stat behind the name, which may hold anything. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function memoryBytesOf(pid: number): number {
  const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(found) * 1024;
}

/** Ends a child by its pid; waits for its exit. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

function argumentsOf(kind: ServerKind, folder: string, binary: string): string[] {
  if (isRelay(kind)) return [RELAY, join(folder, "relay.sock"), kind === "relay" ? "write" : "gather"];
  return [binary, "up", "--foreground", "--rate-limit", "0", "--durability", kind, "--output-format", "json"];
}

/** Starts a server in a new folder below `parent`, from this build unless another is named. Resolves when it takes clients. */
export async function startServer(kind: ServerKind, parent: string, binary = BINARY): Promise<Server> {
  const folder = mkdtempSync(join(parent, `${kind}-`));
  const child = spawn(process.execPath, argumentsOf(kind, folder, binary), {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${kind} did not start`);
  const kill = (): void => void child.kill("SIGKILL");
  process.on("exit", kill);
  const socket = join(folder, isRelay(kind) ? "relay.sock" : join(".claws", "claws.sock"));
  while (!(await isListening(socket))) {
    if (child.exitCode !== null) throw new Error(`${kind} ended at once`);
    await setTimeout(POLL_MS);
  }
  return {
    kind,
    folder,
    socket,
    cpuSeconds: () => cpuSecondsOf(pid),
    memoryBytes: () => memoryBytesOf(pid),
    stop: async () => {
      await endChild(child);
      process.off("exit", kill);
    },
  };
}
