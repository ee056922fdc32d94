import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";

/** Puts scripts named as the agents' CLIs into a folder, each the fake of that name. Returns a PATH that begins with it. */
export function installFakes({ home }: Workspace, scenario: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["claude", "codex"]) {
    const script = `#!/bin/sh\nexec "${process.execPath}" "${BINARY}" fake-agent ${name} --scenario ${scenario} "$@"\n`;
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  }
  return [bin, process.env["PATH"]].join(delimiter);
}
