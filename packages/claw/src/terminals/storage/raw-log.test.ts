import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { segmentName } from "./raw-folder.ts";
import { createRawLog, readRange } from "./raw-log.ts";

/** A log whose moments come when the test says so, and what is in its files. */
function openLog(limits: { segmentBytes?: number; retainBytes?: number } = {}) {
  const folder = join(temporaryFolder(onTestFinished), "1");
  mkdirSync(folder);
  const due: (() => void)[] = [];
  const problems: (string | null)[] = [];
  const soon = (run: () => void): void => void due.push(run);
  const log = createRawLog({ folder, soon, stuck: (problem) => problems.push(problem), ...limits });
  onTestFinished(() => log.close());
  const files = (): string[] => readdirSync(folder).toSorted();
  const written = (): string => files().reduce((text, name) => text + readFileSync(join(folder, name), "latin1"), "");
  return { log, folder, due, problems, files, written };
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

describe("the log of a terminal's output", () => {
  test("writes what waits before it is counted or read, and not before", () => {
    const { log, due, written } = openLog();
    log.append(bytes("one"));
    expect(written()).toBe("");
    expect([log.total(), written()]).toEqual([3, "one"]);
    log.append(bytes("two"));
    expect(written()).toBe("one");
    expect([log.read({ offset: 0, limit: 10 }).bytes.toString(), written()]).toEqual(["onetwo", "onetwo"]);
    log.append(bytes("three"));
    // The moment that was asked for first still comes, and is the only one.
    expect(due).toHaveLength(1);
    due.shift()?.();
    expect(written()).toBe("onetwothree");
    log.append(bytes("four"));
    expect(due).toHaveLength(1);
    log.close();
    expect(written()).toBe("onetwothreefour");
  });

  test("writes at once what is too much to wait", () => {
    const { log, written } = openLog();
    const half = Buffer.alloc(128 * 1024, "x");
    log.append(half.subarray(1));
    log.append(half);
    expect(written()).toBe("");
    log.append(bytes("y"));
    expect(written()).toHaveLength(256 * 1024);
  });

  test("begins a file when the last is full, and forgets the oldest when enough is behind them", () => {
    const { log, files } = openLog({ segmentBytes: 4, retainBytes: 8 });
    const names: string[][] = [];
    for (const piece of ["aaaa", "bbb", "b", "cccc", "dddd"]) {
      log.append(bytes(piece));
      log.total();
      names.push(files().map((name) => String(Number.parseInt(name, 10))));
    }
    expect(names).toEqual([["0"], ["0", "4"], ["0", "4"], ["4", "8"], ["8", "12"]]);
    // What the files have forgotten is in memory still.
    expect(log.oldest()).toBe(0);
    expect(log.read({ offset: 0, limit: 5 })).toEqual({ bytes: bytes("aaaab"), offset: 0, total: 16 });
  });

  test("reads from the files what memory has let go of, up to where memory begins", () => {
    const { log } = openLog();
    const mark = bytes("begin");
    log.append(mark);
    log.total();
    log.append(Buffer.alloc(LIMITS.terminalRingBytes, "x"));
    const total = log.total();
    expect(log.oldest()).toBe(0);
    expect(log.read({ offset: 0, limit: 5 })).toEqual({ bytes: mark, offset: 0, total });
    expect(log.read({ offset: 3, limit: 4 }).bytes.toString()).toMatch(/^inx{0,2}$/);
    expect(readRange(log, 3, 9).toString()).toBe("inxxxx");
    expect(log.read({ limit: 3 })).toEqual({ bytes: bytes("xxx"), offset: total - 3, total });
    expect(log.read({ offset: total + 5, limit: 3 })).toEqual({ bytes: bytes(""), offset: total, total });
  });
});

test("a file that has a second name elsewhere is not written through", () => {
  const { log, folder, written } = openLog();
  const elsewhere = join(folder, "..", "elsewhere");
  writeFileSync(elsewhere, "");
  linkSync(elsewhere, join(folder, segmentName(0)));
  log.append(bytes("one"));
  expect([log.total(), written(), readFileSync(elsewhere, "utf8")]).toEqual([3, "one", ""]);
});

describe("a disk that takes nothing", () => {
  test("is told of once, is tried again, and meanwhile output is shown from memory", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, folder, due, problems, written } = openLog();
    rmSync(folder, { recursive: true });
    log.append(bytes("one"));
    expect(log.total()).toBe(3);
    log.append(bytes("two"));
    expect(log.read({ offset: 0, limit: 10 }).bytes.toString()).toBe("onetwo");
    due.shift()?.();
    vi.advanceTimersByTime(1400);
    expect(problems).toEqual([expect.stringContaining("ENOENT")]);
    mkdirSync(folder);
    expect(log.total()).toBe(6);
    expect(written()).toBe("");
    vi.advanceTimersByTime(500);
    expect([problems.slice(1), written()]).toEqual([[null], "onetwo"]);
    log.append(bytes("!"));
    expect([log.total(), written()]).toEqual([7, "onetwo!"]);
  });

  test("holds up the program when more waits than may", () => {
    const { log, folder } = openLog();
    rmSync(folder, { recursive: true });
    log.append(Buffer.alloc(LIMITS.terminalUnwrittenBytes));
    expect(log.isFull()).toBe(false);
    log.append(bytes("x"));
    expect(log.isFull()).toBe(true);
    mkdirSync(folder);
    log.close();
    expect(log.isFull()).toBe(false);
  });
});
