import type { ChildProcess } from "node:child_process";

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * All that a child prints, and its end. Resolves when the child has ended and its streams are closed; a stream that is
 * no pipe counts as empty. Rejects when the child does not start. Called in the turn in which the child is started.
 */
export function outputOf(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => (output[name] += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
}
