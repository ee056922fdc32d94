import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { natsFolder } from "../scripts/nats/give-nats.mjs";

/**
 * Daemons that tests run in their own process keep their secrets in a folder of the tests, not in the developer's home.
 * Compiled code stays from one run of the tests to the next: tests start claw thousands of times.
 */
export function setup(): () => void {
  process.env["CLAW_NATS_CACHE"] = natsFolder();
  const folder = mkdtempSync(join(tmpdir(), "claw-state-"));
  process.env["XDG_STATE_HOME"] = folder;
  process.env["XDG_CACHE_HOME"] = fileURLToPath(new URL("../node_modules/.cache/claw-tests", import.meta.url));
  return () => rmSync(folder, { recursive: true, force: true });
}
