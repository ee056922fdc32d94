import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CACHE_HOME } from "../child.ts";
import { isListening } from "../../packages/claw/src/process/testing/json-lines.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const RELAY = fileURLToPath(new URL("relay.mjs", import.meta.url));

const POLL_MS = 2;

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

/** Adds up the time that each thread ran. The kernel counts it in nanoseconds; a process's own count has ticks only. */
export function cpuSecondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ran = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return ran.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
}

const MEMORY = { RssAnon: /^RssAnon:\s+(\d+) kB$/m, VmRSS: /^VmRSS:\s+(\d+) kB$/m } as const;

/** Memory of a process: its own, or all that `ps` shows, with the program and libraries that processes share. */
export function memoryBytesOf(pid: number, which: keyof typeof MEMORY = "RssAnon"): number {
  return Number(MEMORY[which].exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

/** Ends a child by its pid; waits for its exit. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

export interface ServerOptions {
  /** The build to start, this one by default. */
  readonly binary?: string;
  /** The folder it works in, a new one by default. */
  readonly folder?: string;
  /** Further flags of `claw up`. */
  readonly flags?: readonly string[];
}

function argumentsOf(kind: ServerKind, folder: string, { binary = BINARY, flags = [] }: ServerOptions): string[] {
  if (isRelay(kind)) return [RELAY, join(folder, "relay.sock"), kind === "relay" ? "write" : "gather"];
  const quick = ["--rate-limit", "0", "--durability", kind, ...flags];
  return [binary, "up", "--foreground", ...quick, "--output-format", "json"];
}

/** Starts a server, in a new folder below `parent` unless one is named. Resolves when it takes clients. */
export async function startServer(kind: ServerKind, parent: string, options: ServerOptions = {}): Promise<Server> {
  const folder = options.folder ?? mkdtempSync(join(parent, `${kind}-`));
  const child = spawn(process.execPath, argumentsOf(kind, folder, options), {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, XDG_CACHE_HOME: CACHE_HOME, LANG: "C.UTF-8" },
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
