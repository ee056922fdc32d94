import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateHome } from "../../packages/claw/src/files/index.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { openTerminal } from "./terminal-session.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/**
 * A demonstration for somebody at a terminal, and what is left of it: its folder among the temporary files, and the
 * secrets of its daemon.
 */
function openDemo(): { terminal: TerminalSession; left: () => string[]; workspace: Workspace } {
  const workspace = createWorkspace();
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  const terminal = openTerminal(workspace, ["demo"], { TMPDIR: temporary });
  const secrets = stateHome({ HOME: workspace.home });
  const left = (): string[] => [
    ...readdirSync(temporary).filter((name) => name.startsWith("claw-")),
    ...(existsSync(secrets) ? readdirSync(secrets) : []),
  ];
  return { terminal, workspace, left };
}

/** Processes with this text in their environment. */
const marked = (mark: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });

const times = (screen: string, text: string): number => screen.split(text).length - 1;

test("what happens in a demonstration is shown once, a key answers, and nothing is left", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/y or Enter allows it, n refuses it {2}\d+:\d\d left/);
  const asked = await terminal.shows(
    /verified: [^]*verified: [^]*verified: [^]*Allow cleanup to run  rm -rf build\n[^]*Enter allows it/,
  );
  expect([times(asked, "Allow cleanup"), times(asked, "Enter allows it")]).toEqual([1, 1]);
  terminal.press("Enter");
  const ended = await terminal.shows(/Press q or Enter to leave/);
  expect(ended).not.toContain("Enter allows it");
  expect(times(terminal.screen(), "The old build is gone.")).toBe(1);
  expect(times(terminal.screen(), "cleanup   starts on branch")).toBe(1);
  terminal.press("Enter");
  expect(await terminal.shows(/ended with \d+/)).toContain("ended with 0");
  expect(terminal.screen()).toContain("Try next");
  expect(left()).toEqual([]);
});

test("the page is there from the beginning until a key ends the demonstration, and an answer given there counts", async () => {
  const { terminal, left, workspace } = openDemo();
  const shown = await terminal.shows(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{12}\/enter\?code=[\w-]{16}/);
  const [link = ""] = /http:\S+/.exec(shown) ?? [];
  const entered = await fetch(link, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = new URL(entered.headers.get("location") ?? "", link);
  const status = async (): Promise<number> => (await fetch(page, { headers: { cookie } })).status;
  expect([entered.status, await status()]).toEqual([303, 200]);
  await terminal.shows(/Enter allows it, n refuses it/);
  const [folder = ""] = left();
  const there = ["--cwd", join(workspace.home, "tmp", folder, "prices")];
  const { approvals } = await clawJson(workspace, ["approvals", ...there]);
  const [{ approval_id: id } = { approval_id: "" }] = approvals as { approval_id: string }[];
  expect(await clawJson(workspace, ["approve", id, ...there])).toMatchObject({ effect: "updated" });
  const ended = await terminal.shows(/Press q or Enter to leave/);
  expect(ended).not.toContain("Enter allows it");
  expect(ended).not.toContain("was refused");
  expect(await status()).toBe(200);
  terminal.press("q");
  expect(await terminal.shows(/ended with \d+/)).toContain("ended with 0");
  await expect(status()).rejects.toThrow("fetch failed");
  expect(left()).toEqual([]);
});

test("Ctrl-C leaves a demonstration while it asks, answers nothing and leaves nothing", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/Enter allows it, n refuses it/);
  terminal.press("C-c");
  const ended = await terminal.shows(/ended with \d+/);
  expect(ended).toContain("error[cancelled]: the demonstration was stopped");
  expect(ended).toContain("ended with 130");
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

test("a demonstration that is killed leaves no process and no folder", async () => {
  const { terminal, left } = openDemo();
  await terminal.shows(/Enter allows it, n refuses it/);
  const [name = ""] = left();
  const mark = `/${name}\0`;
  expect(marked(mark).length).toBeGreaterThan(1);
  process.kill(terminal.pid(), "SIGKILL");
  await terminal.shows(/ended with 137/);
  await until("the end of everything", () => marked(mark).length === 0 && left().length === 0);
});
