import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BINARY } from "../e2e/run-claw.ts";

const POLL_MS = 10;

/** A daemon that is a child of the test, so that it can be killed at any moment. */
export interface ForegroundDaemon {
  readonly pid: number;
  readonly socket: string;
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

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (listening: boolean): void => {
      probe.destroy();
      resolve(listening);
    };
    probe.on("connect", () => done(true)).on("error", () => done(false));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

/** Starts the daemon of a folder. Resolves when it takes clients. */
export async function startForeground(folder: string, options: ForegroundOptions = {}): Promise<ForegroundDaemon> {
  const { flags = [], nodeOptions = [], env = {}, under = [] } = options;
  const call = [...under, process.execPath, ...nodeOptions, BINARY, "up", "--foreground", "--rate-limit=0", ...flags];
  const [file = "", ...args] = call;
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8", ...env },
    stdio: "ignore",
  });
  const socket = join(folder, ".claws", "claws.sock");
  while (!(await answers(socket))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the daemon ended at once");
    await setTimeout(POLL_MS);
  }
  return { pid: child.pid ?? 0, socket, kill: () => end(child, "SIGKILL"), stop: () => end(child, "SIGTERM") };
}
