import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TerminalSession } from "./terminal-session.ts";
import { openTerminal } from "./terminal-session.ts";
import { createWorkspace } from "./workspace.ts";

/** A demonstration for somebody at a terminal, and what is left of it in the folder for temporary files. */
function openDemo(): { terminal: TerminalSession; left: () => string[] } {
  const workspace = createWorkspace();
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  const terminal = openTerminal(workspace, ["demo"], { TMPDIR: temporary });
  return { terminal, left: () => readdirSync(temporary).filter((name) => name.startsWith("claw-")) };
}

const times = (screen: string, text: string): number => screen.split(text).length - 1;

test("what happens in a demonstration is shown once, a key answers, and nothing is left", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/a allows it, r refuses it/);
  const asked = await terminal.shows(
    /verified: [^]*verified: [^]*verified: [^]*Allow cleanup to run  rm -rf build\n[^]*a allows it/,
  );
  expect([times(asked, "Allow cleanup"), times(asked, "a allows it")]).toEqual([1, 1]);
  terminal.press("a");
  const ended = await terminal.shows(/Press q to leave/);
  expect(ended).not.toContain("a allows it");
  expect(times(terminal.screen(), "The old build is gone.")).toBe(1);
  expect(times(terminal.screen(), "cleanup   starts on branch")).toBe(1);
  terminal.press("q");
  expect(await terminal.shows(/ended with \d+/)).toContain("ended with 0");
  expect(terminal.screen()).toContain("Try next");
  expect(left()).toEqual([]);
});

test("Ctrl-C leaves a demonstration while it asks, answers nothing and leaves nothing", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/a allows it, r refuses it/);
  terminal.press("C-c");
  expect(await terminal.shows(/ended with \d+/)).toContain("error[cancelled]: the demonstration was left");
  expect(terminal.screen()).not.toContain("obeyed");
  expect(left()).toEqual([]);
});

test("Ctrl-C leaves a demonstration at its very beginning", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/A daemon and four agents/);
  terminal.press("C-c");
  expect(await terminal.shows(/ended with \d+/)).toContain("error[cancelled]");
  expect(left()).toEqual([]);
});
