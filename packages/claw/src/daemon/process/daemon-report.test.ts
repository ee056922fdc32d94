import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../process/testing/json-lines.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openReport } from "./daemon-report.ts";

function scene() {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "daemon.log");
  const own = { is: true };
  const report = openReport(
    path,
    () => 0,
    () => own.is,
  );
  onTestFinished(() => report.close());
  const lines = (from = path): unknown[] => jsonLines<unknown>(readFileSync(from, "utf8"));
  return { folder, path, own, report, lines };
}

test("what happened is a line of JSON each, private", () => {
  const { report, lines, path } = scene();
  report.write("started", { socket: "/x" });
  report.write("stopped");
  const common = { time: "1970-01-01T00:00:00.000Z", pid: process.pid };
  expect(lines()).toEqual([
    { ...common, event: "started", socket: "/x" },
    { ...common, event: "stopped" },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("there are four files at most, each not much longer than the limit, the newest lines in the first", () => {
  const { report, folder, path, lines } = scene();
  const text = "x".repeat(256 * 1024);
  const count = 6 * Math.ceil(LIMITS.reportBytes / text.length);
  for (let n = 0; n < count; n += 1) report.write("problem", { n, text });
  expect(readdirSync(folder).toSorted()).toEqual(["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3"]);
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).size).toBeLessThan(LIMITS.reportBytes + 2 * text.length);
  }
  expect(lines(path).at(-1)).toMatchObject({ n: count - 1 });
});

test("no secret gets there", () => {
  const { report, path } = scene();
  const text = "authorization: Bearer claw1.abcdefghijklmnop.qrstuvwxyz0123456789 and sk-ant-api03-abcdefghijklmnop";
  report.write("problem", { text, token: "hunter2hunter2", nested: [{ password: "correct horse" }] });
  expect(readFileSync(path, "utf8")).not.toMatch(/abcdefghijklmnop|hunter2|correct horse/);
});

test("a file that was moved away or removed is begun anew", () => {
  const { report, path, lines } = scene();
  report.write("one");
  renameSync(path, `${path}.old`);
  report.write("two");
  rmSync(path);
  report.write("three");
  expect([lines(`${path}.old`), lines()]).toMatchObject([[{ event: "one" }], [{ event: "three" }]]);
});

test("in a folder that is another's by now, the file that is open is written on", () => {
  const { report, path, lines, own } = scene();
  report.write("one");
  renameSync(path, `${path}.moved`);
  writeFileSync(path, "");
  own.is = false;
  report.write("lost");
  expect([lines(`${path}.moved`), readFileSync(path, "utf8")]).toMatchObject([[{}, { event: "lost" }], ""]);
});

test("a link, or a disk that refuses, is neither followed nor an error", () => {
  const { report, path, folder } = scene();
  writeFileSync(`${path}.target`, "mine");
  symlinkSync(`${path}.target`, path);
  report.write("one");
  expect(readFileSync(`${path}.target`, "utf8")).toBe("mine");
  rmSync(path);
  chmodSync(folder, 0o500);
  report.write("two");
  chmodSync(folder, 0o700);
});
