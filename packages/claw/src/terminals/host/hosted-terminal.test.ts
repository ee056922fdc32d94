import { mkdirSync, rmSync } from "node:fs";
import type { TerminalFactBody } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { readAbout } from "../storage/about-terminal.ts";
import type { ShellStart } from "../shell/shell-integration.ts";
import { HostedTerminal } from "./hosted-terminal.ts";
import { createSoon } from "./soon.ts";
import { openStoredTerminal } from "../storage/stored-terminal.ts";
import { createFakePty, makeFolders } from "../testing/fake-pty.ts";

/** A terminal without a program: its output, its end and its clock are the test's. */
function openTerminal(kind: ShellStart["kind"] = "none") {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const pty = createFakePty();
  const { folder, path } = makeFolders(temporaryFolder(onTestFinished));
  const facts: TerminalFactBody[] = [];
  const problems: string[] = [];
  const state = { changes: 0, tidied: 0 };
  const place = { cwd: "/", cols: 80, rows: 24, openedAt: "2026-01-01T00:00:00.000Z" };
  const terminal = new HostedTerminal({
    library: pty.library,
    folder,
    path,
    about: { id: "1", name: "one", argv: ["cat"], correlationId: "c", workerId: null, integrated: false, ...place },
    env: {},
    shell: { argv: ["cat"], env: {}, kind, tidy: () => (state.tidied += 1) },
    nonce: "0123456789abcdef",
    tell: (fact) => facts.push(fact),
    changed: () => (state.changes += 1),
    report: (problem) => problems.push(problem),
    soon: createSoon(10),
  });
  const kinds = (): string[] => facts.map(({ kind }) => kind);
  return { terminal, pty, folder, path, facts, kinds, problems, state };
}

test("a terminal tells once that it prints, then which program it belongs to, and of every output", async () => {
  const { pty, kinds, state, terminal } = openTerminal();
  pty.print("a");
  pty.print("b");
  expect([kinds(), state.changes, terminal.log.total()]).toEqual([["ready"], 2, 2]);
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(kinds()).toEqual(["ready", "content"]);
});

test("the end is told last and kept, and nothing is looked for after it", async () => {
  // The last byte could begin a mark of a shell. It is held back until the end.
  const { pty, facts, kinds, state, terminal, folder } = openTerminal("posix");
  pty.print("a\u001b");
  pty.exit({ exitCode: 3, signal: 0 });
  await vi.advanceTimersByTimeAsync(10 * LIMITS.foregroundMs);
  expect(kinds()).toEqual(["ready", "closed"]);
  const end = { at: "1970-01-01T00:00:00.000Z", origin: "user", exitCode: 3, signal: null };
  expect(facts.at(-1)).toEqual({ kind: "closed", ...end, correlationId: "c" });
  expect([terminal.isOpen(), state.tidied, state.changes]).toEqual([false, 1, 3]);
  expect(readAbout(folder, "1")?.end).toEqual(end);
  expect(openStoredTerminal(folder, "1")?.total()).toBe(2);
});

test("output of a program that is no shell is never held back", () => {
  const { pty, terminal } = openTerminal();
  pty.print("a\u001b");
  expect(terminal.log.total()).toBe(2);
});

test("a program that was killed ends with the signal alone", () => {
  const { pty, terminal } = openTerminal();
  pty.exit({ exitCode: 0, signal: 9 });
  expect(terminal.about().end).toMatchObject({ exitCode: null, signal: 9 });
});

test("sizes are remembered with where they begin, and a size that is the same is none", () => {
  const { pty, terminal, folder } = openTerminal();
  terminal.resize(80, 24);
  pty.print("abc");
  terminal.resize(80, 25);
  terminal.resize(81, 25);
  const sizes = [
    { offset: 0, cols: 80, rows: 24 },
    { offset: 3, cols: 80, rows: 25 },
    { offset: 3, cols: 81, rows: 25 },
  ];
  expect([pty.asked, terminal.about().sizes]).toEqual([["resize 80 25", "resize 81 25"], sizes]);
  expect(readAbout(folder, "1")).toMatchObject({ cols: 81, rows: 25, sizes });
  pty.exit({ exitCode: 0 });
  terminal.resize(10, 10);
  expect(terminal.about().sizes).toEqual(sizes);
});

test("of too many sizes the newest change is replaced", () => {
  const { terminal } = openTerminal();
  for (let rows = 1; rows <= 1001; rows += 1) terminal.resize(100, rows);
  const { sizes } = terminal.about();
  expect([sizes.length, sizes[0]?.rows, sizes.at(-2)?.rows, sizes.at(-1)?.rows]).toEqual([1000, 24, 998, 1001]);
});

test("a program is held up while too much waits for the disk, and let go when it is written", () => {
  const { pty, path, problems } = openTerminal();
  rmSync(path, { recursive: true });
  pty.print("x".repeat(LIMITS.terminalUnwrittenBytes));
  expect(pty.asked).toEqual([]);
  pty.print("y");
  expect([pty.asked, problems.length]).toEqual([["pause"], 1]);
  mkdirSync(path);
  vi.advanceTimersByTime(500);
  expect([pty.asked, problems[1]]).toEqual([["pause", "resume"], "terminal 1: its output is written again"]);
});

test("what the disk did not take of a terminal that ended is written once it does", () => {
  const { pty, path, folder, problems } = openTerminal();
  rmSync(path, { recursive: true });
  pty.print("last words");
  pty.exit({ exitCode: 0 });
  expect(problems).toHaveLength(2);
  mkdirSync(path);
  vi.advanceTimersByTime(500);
  expect(readAbout(folder, "1")?.end).toMatchObject({ exitCode: 0 });
  const stored = openStoredTerminal(folder, "1");
  expect(stored?.read({ offset: 0, limit: 99 }).bytes.toString()).toBe("last words");
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
});

test("nobody waits for a folder that is gone", () => {
  const { pty, path } = openTerminal();
  rmSync(path, { recursive: true });
  pty.print("x");
  pty.exit({ exitCode: 0 });
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
});
