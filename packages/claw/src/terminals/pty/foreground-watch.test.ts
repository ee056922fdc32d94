import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ForegroundProgram } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi, describe } from "vitest";
import {
  createForegroundWatch,
  contentOf,
  findForeground,
  foregroundByProc,
  foregroundMark,
  foregroundByPs,
} from "./foreground-watch.ts";

/** A watch of a process that is the test's choice; its clock is the test's. */
function openWatch(first?: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const told: ForegroundProgram[] = [];
  const state = { pid: first, asked: 0 };
  const pid = (): number | undefined => {
    state.asked += 1;
    return state.pid;
  };
  return { watch: createForegroundWatch(pid, (foreground) => told.push(foreground)), told, state };
}

/** A process that is gone has nobody in its foreground. */
const GONE = 2 ** 30;
const NOBODY = { pid: null, basename: null, contentType: "unknown" };

test("it looks once for many touches, and tells a change once", async () => {
  const { watch, told, state } = openWatch(GONE);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs - 1);
  watch.touch();
  expect(state.asked).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([state.asked, told]).toEqual([1, [NOBODY]]);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect([state.asked, told.length]).toEqual([2, 1]);
});

test("without a process there is nothing to tell, until there is one", async () => {
  const { watch, told, state } = openWatch();
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([]);
  state.pid = GONE;
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([NOBODY]);
});

test("after a stop nothing is looked for or told", async () => {
  const { watch, told, state } = openWatch(GONE);
  watch.touch();
  watch.stop();
  await vi.advanceTimersByTimeAsync(10 * LIMITS.foregroundMs);
  expect([state.asked, told]).toEqual([0, []]);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([]);
});

test("a look that is under way when it is stopped tells nothing", async () => {
  const { watch, told } = openWatch(GONE);
  watch.touch();
  vi.advanceTimersByTime(LIMITS.foregroundMs);
  watch.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([]);
});

test.each([
  ["bash", [], "shell"],
  ["-zsh", [], "shell"],
  ["claude", [], "claude"],
  ["node", ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"], "claude"],
  ["node", ["node", "x.js", "/bin/claude"], "node"],
  ["node", ["/bin/claude"], "claude"],
  ["node", ["node", "notclaude"], "node"],
  ["node", ["node", "claude.md"], "node"],
  ["MainThread", [], "node"],
  ["python3.12", [], "python"],
  ["pythonista", [], "unknown"],
  ["nvim", [], "vim"],
  ["htop", [], "htop"],
  ["less", [], "unknown"],
])("%s with %j is %s", (name, argv, content) => expect(contentOf(name, argv)).toBe(content));

test("a process without a terminal, or that is gone, has nobody in its foreground", async () => {
  const child = spawn("cat", { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill());
  expect(await findForeground(child.pid ?? 0)).toEqual(NOBODY);
  expect(await foregroundByPs(child.pid ?? 0)).toEqual(NOBODY);
  expect(await findForeground(2 ** 30)).toEqual(NOBODY);
  expect(await foregroundByPs(2 ** 30)).toEqual(NOBODY);
});

describe("by /proc", () => {
  const stat = (group: string, name = "bash"): string => `40 (${name}) S 1 40 40 34816 ${group} 4194304 1 2`;
  /** What `/proc` says of a shell, 40, with another program, 41, in its foreground. */
  const find = (files: Readonly<Record<string, string>>) => foregroundByProc(40, (path) => files[path]);
  const shell = { "/proc/40/stat": stat("41") };

  test("the program in the foreground is named by its first word, or else by its process", () => {
    const comm = { "/proc/41/comm": "MainThread\n" };
    const cmdline = { "/proc/41/cmdline": "/usr/bin/node\0app.js\0\0" };
    expect(find({ ...shell, ...comm, ...cmdline })).toEqual({ pid: 41, basename: "node", contentType: "node" });
    const named = { pid: 41, basename: "MainThread", contentType: "node" };
    expect([find({ ...shell, ...comm }), find({ ...shell, ...comm, "/proc/41/cmdline": "" })]).toEqual([named, named]);
    const claude = { "/proc/41/cmdline": "node\0/opt/claude\0" };
    expect(find({ ...shell, ...comm, ...claude })).toEqual({ pid: 41, basename: "node", contentType: "claude" });
  });

  test("a shell that is a login shell has its own name", () => {
    const login = { "/proc/40/stat": stat("40"), "/proc/40/comm": "bash\n", "/proc/40/cmdline": "-bash\0" };
    expect(find(login)).toEqual({ pid: 40, basename: "bash", contentType: "shell" });
  });

  test("a name with brackets and blanks in it misleads nobody", () => {
    const odd = { "/proc/40/stat": stat("41", "a) S 1 2 3 4 5"), "/proc/41/comm": "vim\n" };
    expect(find(odd)).toEqual({ pid: 41, basename: "vim", contentType: "vim" });
  });

  test.each([
    ["of a process that is gone", {}],
    ["of a process without a terminal", { "/proc/40/stat": stat("-1"), "/proc/-1/comm": "x" }],
    ["whose group is zero", { "/proc/40/stat": stat("0"), "/proc/0/comm": "x" }],
    ["whose group is no number", { "/proc/40/stat": stat("x"), "/proc/NaN/comm": "x" }],
    ["that has just ended", shell],
  ])("nobody is in the foreground %s", (_, files) => expect(find(files)).toEqual(NOBODY));

  test("the first group there can be is one", () => {
    expect(find({ "/proc/40/stat": stat("1"), "/proc/1/comm": "sh" })).toMatchObject({ pid: 1, basename: "sh" });
  });
});

describe("the mark of the program in the foreground", () => {
  /** `stat` of a process: when it started, and where its arguments are. */
  const stat = (more: { pid?: number; name?: string; group?: number; started?: number; place?: number | string }) => {
    const { pid = 40, name = "sh", group = 40, started = 7, place = 9000 } = more;
    const between = (count: number): string => Array.from({ length: count }, () => "0").join(" ");
    return `${pid} (${name}) S 1 40 40 34816 ${group} ${between(13)} ${started} ${between(25)} ${place} 0`;
  };
  const mark = (...stats: readonly string[]) =>
    foregroundMark(40, (path) => stats.find((text) => path === `/proc/${text.split(" ")[0]}/stat`));
  const shell = mark(stat({}));

  test("stays the same while the program does, whatever else changes", () => {
    expect([typeof shell, mark(stat({}).replace(" S ", " R "))]).toEqual(["string", shell]);
  });

  test.each([
    ["another group", [stat({ group: 41 }), stat({ pid: 41, group: 41 })]],
    ["another name", [stat({ name: "a) S 1 2" })]],
    ["another process with the same number", [stat({ started: 8 })]],
    ["another program in the same process", [stat({ place: 9001 })]],
  ])("differs for %s", (_, stats) => {
    const other = mark(...stats);
    expect(typeof other).toBe("string");
    expect(other).not.toBe(shell);
  });

  test.each([
    ["of a process that is gone", []],
    ["of a process without a terminal", [stat({ group: -1 })]],
    ["that has just ended", [stat({ group: 41 })]],
    ["of another user", [stat({ place: 0 })]],
    ["whose file is cut short", [stat({}).slice(0, 40)]],
  ])("is not known of a program %s", (_, stats) => expect(mark(...stats)).toBeUndefined());
});

test.runIf(process.platform === "linux")("a program that replaces one of the same name is looked at", async () => {
  const script = "read line; exec /bin/sh -c 'echo two; read line' other";
  const child = spawn("/bin/sh", ["-c", script], { stdio: "pipe", detached: true });
  onTestFinished(() => void child.kill());
  const { pid = 0 } = child;
  /** As if the process had the foreground of a terminal, which a test has none of. */
  const read = (path: string): string =>
    readFileSync(path, "utf8").replace(/\) (\S+ \d+ \d+ \d+) 0 -1 /, `) $1 1 ${pid} `);
  const first = foregroundMark(pid, read);
  expect(foregroundMark(pid, read)).toBe(first);
  child.stdin.write("\n");
  await once(child.stdout, "data");
  expect([typeof first, foregroundMark(pid, read) === first]).toEqual(["string", false]);
});

describe("by ps", () => {
  /** Asks a `ps` that knows these answers. */
  const find = (answers: Readonly<Record<string, string>>) =>
    foregroundByPs(40, (columns, pid) => Promise.resolve(answers[`${columns}${pid}`] ?? ""));

  test("the program in the foreground is named by its first word", async () => {
    const found = await find({ "tpgid=40": "41", "args=41": "/usr/bin/python3  app.py" });
    expect(found).toEqual({ pid: 41, basename: "python3", contentType: "python" });
    const login = await find({ "tpgid=40": "1", "args=1": "-zsh" });
    expect(login).toEqual({ pid: 1, basename: "zsh", contentType: "shell" });
  });

  test.each([
    ["of a process that is gone", {}],
    ["of a process without a terminal", { "tpgid=40": "-1", "args=-1": "x" }],
    ["whose group is zero", { "tpgid=40": "0", "args=0": "x" }],
    ["whose group is no number", { "tpgid=40": "?", "args=NaN": "x" }],
    ["that has just ended", { "tpgid=40": "41" }],
  ])("nobody is in the foreground %s", async (_, answers) => expect(await find(answers)).toEqual(NOBODY));
});
