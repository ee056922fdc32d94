import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";

const GRACE_MS = 60_000;
const SHOWN_LINES = 15;

interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Programs {
  /** Runs a program to its end. Resolves with its standard output; rejects with the end of its output when it fails. */
  run(argv: readonly [string, ...string[]], place: Place): Promise<string>;
  /** Ends all programs that run, and what they started; no other begins. Resolves when they are gone. */
  end(): Promise<void>;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Each program leads a process group, so that its children end with it. */
export function createPrograms(): Programs {
  const running = new Map<number, Promise<unknown>>();
  let isEnded = false;

  async function run([file, ...args]: readonly [string, ...string[]], place: Place): Promise<string> {
    if (isEnded) throw new Error(`${basename(file)} was not started: the release is stopped`);
    const child = spawn(file, args, { ...place, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    const closed = once(child, "close");
    const { pid } = child;
    const settled = closed.catch(() => {});
    if (pid !== undefined) running.set(pid, settled);
    try {
      const [code, signal] = (await closed) as [number | null, string | null];
      const stdout = Buffer.concat(output).toString();
      if (code === 0) return stdout;
      const lines = `${stdout}\n${Buffer.concat(errors).toString()}`.trim().split("\n").slice(-SHOWN_LINES);
      const called = [basename(file), ...args.map((text) => (text.includes("\n") ? "…" : text))].join(" ");
      throw new Error(`${called} ended with ${code ?? signal}\n${lines.join("\n")}`);
    } finally {
      if (pid !== undefined) running.delete(pid);
    }
  }

  async function end(): Promise<void> {
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const pid of running.keys()) signalGroup(pid, signal);
    };
    isEnded = true;
    signalAll("SIGTERM");
    const timer = setTimeout(() => signalAll("SIGKILL"), GRACE_MS);
    await Promise.all(running.values());
    clearTimeout(timer);
  }

  return { run, end };
}
