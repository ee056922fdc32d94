import { mkdirSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { socketPathBytes, stateFolder, stateHome } from "./state-folder.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

test("secrets are kept below XDG_STATE_HOME, or below the home folder where that names none", () => {
  expect(stateHome({ XDG_STATE_HOME: "/state", HOME: "/home/a" })).toBe("/state/claw");
  expect(stateHome({ HOME: "/home/a" })).toBe("/home/a/.local/state/claw");
  expect(stateHome({ XDG_STATE_HOME: "relative", HOME: "/home/a" })).toBe("/home/a/.local/state/claw");
  expect(stateHome({ HOME: "relative" })).toBe(join(homedir(), ".local/state/claw"));
  const nowhere = (): undefined => undefined;
  expect(stateHome({}, nowhere)).toBe(join(tmpdir(), `claw-${process.getuid?.()}`));
  expect(stateHome({ HOME: "/home/a" }, nowhere)).toBe("/home/a/.local/state/claw");
});

test("a workspace has one folder, whichever path leads to it, and shares it with no other", () => {
  const base = temporaryFolder(onTestFinished);
  const [real, link, other] = ["real", "link", "other"].map((name) => join(base, name)) as [string, string, string];
  mkdirSync(real);
  mkdirSync(other);
  symlinkSync(real, link);
  const env = { HOME: base };
  expect(stateFolder(link, env)).toBe(stateFolder(real, env));
  expect(stateFolder(other, env)).not.toBe(stateFolder(real, env));
  const missing = join(base, "missing");
  expect(stateFolder(relative(process.cwd(), missing), env)).toBe(stateFolder(missing, env));
  expect(stateFolder(real, env)).toMatch(/\/\.local\/state\/claw\/[0-9a-f]{16}$/);
});

test("each platform has its own longest path of a socket", () => {
  expect([socketPathBytes("linux"), socketPathBytes("darwin")]).toEqual([107, 103]);
});

test("a socket with a path of that length can be made here", async () => {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "s".repeat(socketPathBytes() - folder.length - 1));
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(path, resolve));
  expect([Buffer.byteLength(path), server.address()]).toEqual([socketPathBytes(), path]);
});
