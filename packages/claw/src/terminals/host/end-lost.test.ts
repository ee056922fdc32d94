import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ProcessIdentity, Terminal } from "claw-contract";
import { ABOUT } from "../testing/stored-about.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identify, isRunning } from "../../process/index.ts";
import { makeTerminalFolder, readAbout, writeAbout } from "../storage/about-terminal.ts";
import { endLostTerminals } from "./end-lost.ts";
import { writeHostRecord } from "../storage/host-record.ts";

const unexpected = (problem: string): never => {
  throw new Error(problem);
};

/** A program that its host has left behind, in a folder of terminals. */
function loseTerminal(fields: (program: ProcessIdentity) => Partial<Terminal> = (program) => ({ program })) {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder, { mode: 0o700 });
  makeTerminalFolder(folder, "1");
  const child = spawn("cat", { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const program = identify(child.pid ?? 0);
  writeAbout(folder, { ...ABOUT, ...fields(program) });
  return { folder, child, program };
}

test("what runs in a terminal whose host was killed is ended, and the end is written down", async () => {
  const { folder, child } = loseTerminal();
  const ended = once(child, "exit");
  await endLostTerminals(folder, unexpected);
  await ended;
  expect(readAbout(folder, "1")?.end).toMatchObject({ origin: "error", exitCode: null, signal: null });
});

test.each([
  ["another machine's", { host: "elsewhere" }],
  ["whose start is not known", { started: null }],
  ["whose number another has now", { started: "1" }],
])("a program %s is not ended, its terminal is", async (_, fields) => {
  const { folder, program } = loseTerminal((known) => ({ program: { ...known, ...fields } }));
  await endLostTerminals(folder, unexpected);
  expect([isRunning(program), readAbout(folder, "1")?.end?.origin]).toEqual([true, "error"]);
});

test("a terminal that has ended keeps its end", async () => {
  const end = { at: "2026-01-01T00:00:01.000Z", origin: "user", exitCode: 3, signal: null } as const;
  const { folder, program } = loseTerminal((known) => ({ program: known, end }));
  await endLostTerminals(folder, unexpected);
  expect([isRunning(program), readAbout(folder, "1")?.end]).toEqual([true, end]);
});

test("nothing is ended while a host runs", async () => {
  const { folder, program } = loseTerminal();
  writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
  await endLostTerminals(folder, unexpected);
  expect([isRunning(program), readAbout(folder, "1")?.end]).toEqual([true, null]);
});
