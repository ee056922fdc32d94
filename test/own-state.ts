import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Daemons that tests run in their own process keep their secrets here, not in the developer's home. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "claw-state-"));
  process.env["XDG_STATE_HOME"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
