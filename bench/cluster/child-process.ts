import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of the bench that does its part apart from the others. */
export interface Helper {
  /** The next message that the process sends. Rejects when the process ends before. */
  next(): Promise<unknown>;
  send(message: object): void;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      child.off("message", take);
      child.off("exit", fail);
      act();
    };
    const take = (message: unknown): void => settle(() => resolve(message));
    const fail = (): void => settle(() => reject(new Error("a process of the bench ended")));
    child.once("message", take);
    child.once("exit", fail);
  });
}

/** Starts a program of `bench/cluster/processes`. Resolves when it says that it is ready. */
export async function startHelper(name: string, args: readonly string[]): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(`processes/${name}.ts`, import.meta.url)), [...args]);
  const kill = (): void => void child.kill("SIGKILL");
  process.on("exit", kill);
  await nextMessage(child);
  return {
    next: () => nextMessage(child),
    send: (message) => void child.send(message),
    end: async () => {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (!isOver) {
        const exited = once(child, "exit");
        if (child.connected) child.disconnect();
        await exited;
      }
      process.off("exit", kill);
    },
  };
}
