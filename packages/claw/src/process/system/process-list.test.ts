import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { processListFor } from "./process-list.ts";
import { testProcessLists } from "./process-list.conformance.ts";
import type { AskSystem } from "./ps-list.ts";
import { createPsList } from "./ps-list.ts";

/** The spellings of Linux for the words that differ there from those of macOS. */
const WORDS: Readonly<Record<string, string>> = { "-Eww": "eww", "kern.bootsessionuuid": "kernel.random.boot_id" };

const askHere: AskSystem = (file, args) =>
  spawnSync(
    file,
    args.map((word) => WORDS[word] ?? word),
    { encoding: "utf8", env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" } },
  ).stdout;

testProcessLists([
  ["the files below /proc", () => processListFor("linux")],
  ["the output of ps", () => createPsList(askHere)],
]);

describe("the output of ps on macOS", () => {
  const outputs: Readonly<Record<string, string>> = {
    "ps -axo pid=,ppid=,pgid=,state=,lstart=": [
      "    1     0     1 Ss   Mon Nov  3 09:00:00 2025    ",
      "  512     1   512 S+   Tue Nov  4 10:11:12 2025    ",
      "  513   512   512 Z    Tue Nov  4 10:11:13 2025    ",
      "half of a line",
      "",
    ].join("\n"),
    "ps -Eww -o command= -p 512": "node agent.js --text a=b CLAW_TREE=w.1 w.2 HOME=/Users/a b TERM=xterm\n",
    "sysctl -n kern.bootsessionuuid": "0C1A5A2E-9A0B-4C11-8E2D-000000000000\n",
  };
  const list = createPsList((file, args) => outputs[[file, ...args].join(" ")] ?? "");

  test("gives the table, without what is no line of it", () => {
    expect([...list.table()]).toEqual([
      [1, { state: "S", parent: 0, group: 1, session: 0, started: "1762160400" }],
      [512, { state: "S", parent: 1, group: 512, session: 0, started: "1762251072" }],
      [513, { state: "Z", parent: 512, group: 512, session: 0, started: "1762251073" }],
    ]);
  });

  test("gives variables whose values hold spaces", () => {
    expect(list.environment(512).split("\0")).toEqual([
      "",
      "node agent.js --text",
      "a=b",
      "CLAW_TREE=w.1 w.2",
      "HOME=/Users/a b",
      "TERM=xterm",
      "",
    ]);
  });

  test("gives the id of the start of the system", () => {
    expect(list.bootId()).toBe("0c1a5a2e");
  });

  test("is empty where ps fails", () => {
    const none = createPsList(() => "");
    expect([none.stat(1), none.table().size, none.environment(1), none.bootId()]).toEqual([undefined, 0, "\0\0", null]);
  });
});

test("Windows tells nothing about processes", () => {
  const list = processListFor("win32");
  expect([list.stat(process.pid), list.table().size, list.environment(process.pid), list.bootId()]).toEqual([
    undefined,
    0,
    "",
    null,
  ]);
});
