import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Ended } from "./run-claw.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

/** Runs a line in a shell that finds the built binary under the name `claw`. */
export function runShell(workspace: Workspace, line: string, shell: "sh" | "bash" | "fish" = "sh"): Promise<Ended> {
  const folder = join(workspace.home, "bin");
  mkdirSync(folder, { recursive: true });
  try {
    symlinkSync(BINARY, join(folder, "claw"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const path = [folder, process.env["PATH"]].join(delimiter);
  // Models are asked as well, and none is there but the one that needs no key.
  const env = cleanEnvironment(workspace, { PATH: path, CLAW_MODEL: "scripted" });
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ["-c", line], { cwd: workspace.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => (output[name] += chunk));
    }
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
}
