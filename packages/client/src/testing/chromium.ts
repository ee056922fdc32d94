import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished, vi } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** The Chromium of this machine: the one that `CHROME_PATH` names, or the first in the path. */
export function findChromium(): string | undefined {
  const named = process.env["CHROME_PATH"];
  if (named !== undefined) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/** Opens a page in a browser of its own, which ends with the test. */
export function openPage(chromium: string, url: string): void {
  const profile = mkdtempSync(join(tmpdir(), "claw-chromium-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
  const child = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => {
    child.on("error", resolve);
    child.on("close", resolve);
  });
  onTestFinished(async () => {
    // The whole group: its other processes still write to the profile when the first one has ended.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    await ended;
    await vi.waitFor(() => rmSync(profile, { recursive: true, force: true }), { timeout: 30_000 });
  });
}
