import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { isListening } from "../../packages/claw/src/process/testing/json-lines.ts";
import { BINARY } from "../e2e/run-claw.ts";

const POLL_MS = 10;

/** A daemon that is a child of the test, so that it can be killed at any moment. */
export interface ForegroundDaemon {
  readonly pid: number;
  readonly socket: string;
  /** Whether it is gone. */
  ended(): boolean;
  /** What it wrote to stderr so far. */
  said(): string;
  /** Ends it without warning. Resolves when it is gone; idempotent. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

export interface ForegroundOptions {
  readonly flags?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A program that runs it, with its arguments. */
  readonly under?: readonly string[];
}

/** The daemon's own process, which is not the child when another program runs it. */
function daemonPid(folder: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, ".claws", "daemon.json"), "utf8")) as { pid: number }).pid;
  } catch {
    // It has not come so far, or has gone.
    return undefined;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, pid: number | undefined): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (pid === undefined) child.kill(signal);
  else process.kill(pid, signal);
  await exited;
}

/** A daemon that has only just been started. */
export interface StartingDaemon extends ForegroundDaemon {
  /** Resolves when it takes clients; rejects when it ended before. */
  ready(): Promise<void>;
}

/** Starts the daemon of a folder and waits for nothing. */
export function spawnForeground(folder: string, options: ForegroundOptions = {}): StartingDaemon {
  const { flags = [], nodeOptions = [], env = {}, under = [] } = options;
  const { PATH, XDG_CACHE_HOME } = process.env;
  const call = [...under, process.execPath, ...nodeOptions, BINARY, "up", "--foreground", "--rate-limit=0", ...flags];
  const [file = "", ...args] = call;
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH, XDG_CACHE_HOME, HOME: folder, LANG: "C.UTF-8", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const socket = join(folder, ".claws", "claws.sock");
  const ready = async (): Promise<void> => {
    await until(
      "the daemon to take clients",
      () => {
        if (ended()) throw new Error(`the daemon ended at once: ${said}`);
        return isListening(socket);
      },
      POLL_MS,
    );
  };
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const { pid = 0 } = child;
  const stop = (signal: NodeJS.Signals) => end(child, signal, under.length > 0 ? daemonPid(folder) : undefined);
  return { pid, socket, ready, ended, said: () => said, kill: () => stop("SIGKILL"), stop: () => stop("SIGTERM") };
}

/** Starts the daemon of a folder. Resolves when it takes clients. */
export async function startForeground(folder: string, options: ForegroundOptions = {}): Promise<ForegroundDaemon> {
  const daemon = spawnForeground(folder, options);
  await daemon.ready();
  return daemon;
}
