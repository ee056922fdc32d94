import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { runClaw } from "./run-claw.ts";
import { openTerminal } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const PROMPT = /› *$/;

const text = (value: string) => ({ type: "text", text: value });
const wait = { type: "wait", ms: 600_000 };

function play(workspace: Workspace, turns: readonly unknown[], ...args: string[]) {
  writeFileSync(join(workspace.cwd, "script.json"), JSON.stringify({ turns }));
  return openTerminal(workspace, ["--model", "scripted:script.json", ...args]);
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe("claw alone on a terminal", () => {
  test("is a session: it greets, answers in Markdown, and leaves the terminal as it was", async () => {
    const workspace = createWorkspace();
    const answer = "# Title\n\n- a **bold** `entry`\n\n```ts\nconst x = 1;\n```\nended";
    const terminal = play(workspace, [{ blocks: [text(answer)] }]);
    await terminal.shows(/claw \d+\.\d+\.\d+ · scripted:script\.json · workspace-write/);
    await terminal.shows(PROMPT);
    terminal.type("tell me");
    terminal.press("Enter");
    const shown = await terminal.shows(/ended\n1 request · /);
    expect(shown).toContain("› tell me\nTitle\n\n• a bold entry\n\n  const x = 1;\nended\n");
    terminal.press("C-d");
    expect(await terminal.shows(/ended with 0\n[\s\S]*-tostop/)).toMatch(
      /1 turn\. Go on with: claw chat --resume session-[\s\S]* icanon[\s\S]* echo /,
    );
  });

  test("shows nothing of what a model could do to a terminal", async () => {
    const terminal = play(createWorkspace(), [{ blocks: [text("a\u001B[2J\u001B]0;title\u0007b\rc")] }]);
    await terminal.shows(PROMPT);
    terminal.press("x", "Enter");
    expect(await terminal.shows(/title/)).toContain("a\\u001b[2J\\u001b]0;title\\u0007bc\n");
  });

  test("asks before it edits, with the change, and only what is typed afterwards is the answer", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".claw"));
    writeFileSync(join(workspace.cwd, ".claw", "settings.json"), '{"permissions":{"ask":["edit_file"]}}');
    const file = join(workspace.cwd, "a.ts");
    writeFileSync(file, "const a = 1;\n");
    const read = { type: "tool", name: "read_file", input: { path: "a.ts" } };
    const edit = { type: "tool", name: "edit_file", input: { path: "a.ts", old_string: "a = 1", new_string: "a = 2" } };
    const hold = join(workspace.cwd, "hold");
    const held = { type: "tool", name: "bash", input: { command: `until test -e ${hold}; do sleep 0.05; done` } };
    const turns = [{ blocks: [read, held] }, { blocks: [edit] }, { blocks: [text("finished")] }];
    const terminal = play(workspace, turns, "--permission-mode", "danger-full-access");
    await terminal.shows(PROMPT);
    terminal.type("edit it");
    terminal.press("Enter");
    await terminal.shows(/● bash until/);
    terminal.type("yyy");
    writeFileSync(hold, "");
    expect(await terminal.shows(/Allow it\?/)).toMatch(/-const a = 1;\n\s+\+const a = 2;\n/);
    expect(readFileSync(file, "utf8")).toBe("const a = 1;\n");
    terminal.press("y");
    await terminal.shows(/finished\n3 requests/);
    expect(readFileSync(file, "utf8")).toBe("const a = 2;\n");
  });

  test("is interrupted by Esc and by Ctrl-C, and the prompt can be called back", async () => {
    const terminal = play(createWorkspace(), [{ blocks: [text("begun\n"), wait] }]);
    await terminal.shows(PROMPT);
    terminal.type("work long");
    terminal.press("Enter");
    await terminal.shows(/begun\n. answering · /);
    terminal.press("Escape");
    await terminal.shows(/begun\nInterrupted\.\n\n› *$/);
    terminal.press("Up");
    await terminal.shows(/› work long$/);
    terminal.press("Enter");
    await terminal.shows(/begun\n. answering · /);
    terminal.press("C-c");
    await terminal.shows(/Interrupted\.\n[\s\S]*Interrupted\.\n\n› *$/);
    terminal.press("C-c");
    await terminal.shows(/Press Ctrl-C once more to leave\./);
    terminal.press("C-c");
    expect(await terminal.shows(/ended with/)).toContain("Nothing was stored.\nended with 0\n");
  });

  test("takes a paste as one prompt, and completes files and commands", async () => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.cwd, "wanted.txt"), "");
    const terminal = openTerminal(workspace, ["chat", "--model", "scripted"]);
    await terminal.shows(PROMPT);
    terminal.paste("one\ntwo");
    terminal.type(" @wan");
    terminal.press("Tab");
    await terminal.shows(/› one\n {2}two @wanted\.txt$/);
    terminal.press("Enter");
    await terminal.shows(/one\ntwo @wanted\.txt\n\n\(@ names these in the working folder: wanted\.txt\)\n1 request/);
    terminal.type("/vers");
    terminal.press("Tab");
    await terminal.shows(/› \/version$/);
    terminal.press("Enter");
    expect(await terminal.shows(/› \/version *\n.+/)).toMatch(/› \/version *\n.*\d+\.\d+\.\d+/);
  });

  test("ends cleanly when it is told to, and when its window is closed", async () => {
    const workspace = createWorkspace();
    const terminal = play(workspace, [{ blocks: [text("begun\n"), wait] }]);
    await terminal.shows(PROMPT);
    terminal.press("x", "Enter");
    await terminal.shows(/begun/);
    process.kill(terminal.pid(), "SIGTERM");
    expect(await terminal.shows(/ended with 143\n[\s\S]*-tostop/)).toMatch(/ icanon[\s\S]* echo /);
    const other = openTerminal(workspace, ["--model", "scripted"]);
    await other.shows(PROMPT);
    const pid = other.pid();
    other.hangUp();
    await until("the process to be gone", () => !isAlive(pid));
  });
});

test("without a terminal claw alone prints help, and a session says that it needs one", async () => {
  const workspace = createWorkspace();
  const help = await runClaw(workspace, []);
  expect([help.exitCode, help.stdout.includes("Usage")]).toEqual([0, true]);
  const refused = await runClaw(workspace, ["chat"]);
  expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("interactive_only");
});

test("claw alone without a key shows the ways on, and breaks no word", async () => {
  const terminal = openTerminal(createWorkspace(), []);
  const ended = await terminal.shows(/ended with \d+/);
  const said = terminal.screen().slice(0, ended.indexOf("ended with"));
  for (const way of ["ANTHROPIC_API_KEY", "--model scripted", "claw demo", "claw doctor"]) {
    expect(said.replaceAll("\n", " ")).toContain(way);
  }
  // tmux joins lines that it had to break itself: none was.
  expect(said.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
