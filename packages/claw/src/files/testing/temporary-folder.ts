import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TRIES = 100;
const REST_MS = 20;

/** Removes a folder that processes may still write to. `maxRetries` of Node would not remove what they wrote meanwhile. */
export function removeFolder(folder: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    }
  }
}

/** An empty folder that goes away when the test is over. Given the runner's `onTestFinished`. */
export function temporaryFolder(onEnd: (remove: () => void) => void): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "claw-unit-")));
  onEnd(() => removeFolder(folder));
  return folder;
}
