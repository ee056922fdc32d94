import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { openTokenStore } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openTokenFile } from "./token-file.ts";

const DAY_MS = 24 * 60 * 60_000;

function scene(fs: FileSystem = nodeFileSystem) {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "orchestrator.token");
  const clock = { now: 1.7e12 };
  const now = (): number => clock.now;
  const tokens = openTokenStore(nodeFileSystem, folder, now);
  const problems: string[] = [];
  const file = openTokenFile(fs, { path, tokens, now, report: (problem) => void problems.push(problem) });
  const verdict = () => tokens.verify(readFileSync(path, "utf8").trim());
  return { path, clock, file, problems, verdict };
}

test("the token in the file is good on every day of years, for a daemon that looks when it was told to", () => {
  const { clock, file, verdict, path } = scene();
  const end = clock.now + 900 * DAY_MS;
  let renewals = 0;
  for (let due = file.renew(); clock.now < end; due = file.renew()) {
    expect(due).toBeGreaterThan(clock.now);
    clock.now = due - 1;
    expect(verdict()).toMatchObject({ kind: "granted", grant: { role: "orchestrator" } });
    clock.now = due;
    renewals += 1;
  }
  expect([renewals, statSync(path).mode & 0o777]).toEqual([60, 0o600]);
});

test("a machine that slept for a month has a good token again as soon as anything happens", () => {
  const { clock, file, verdict } = scene();
  clock.now += 2 * LIMITS.tokenLifetimeMs;
  expect(verdict().kind).toBe("expired");
  file.renew();
  expect(verdict().kind).toBe("granted");
});

test("a token that cannot be stored stays as it was, is named, and is tried again in time", () => {
  let full = false;
  const openSync = (...args: Parameters<typeof nodeFileSystem.openSync>): number => {
    if (full) throw Object.assign(new Error("ENOSPC: full, open"), { code: "ENOSPC" });
    return nodeFileSystem.openSync(...args);
  };
  const { clock, file, verdict, problems } = scene({ ...nodeFileSystem, openSync });
  clock.now = file.renew();
  full = true;
  const retry = file.renew();
  expect([retry - clock.now, problems.length, verdict().kind]).toEqual([60_000, 1, "granted"]);
  full = false;
  clock.now = retry;
  expect(file.renew() - clock.now).toBe(LIMITS.tokenLifetimeMs / 2);
});
