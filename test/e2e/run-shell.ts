import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
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
  return outputOf(spawn(shell, ["-c", line], { cwd: workspace.cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}
