import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandRuns } from "../../sandbox/testing/command-runs.ts";
import { openBench, parsed } from "../testing/tool-bench.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that this process still refers to. What it has dropped is not counted: when V8 frees that, is V8's affair. */
function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe.each([true, false])("bash (sandbox: %s)", (sandboxed) => {
  test("answers with output, complaints and exit", async () => {
    const bench = openBench(onTestFinished, { sandboxed });
    const output = await bench.run("bash", { command: "echo out; echo err >&2; exit 3" });
    expect(output.isError).toBe(true);
    expect(parsed(output)).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 3,
      interrupted: false,
      returnCodeInterpretation: "exit_code:3",
      noOutputExpected: false,
      sandboxStatus: { enabled: sandboxed },
    });
  });

  test("runs in the root of the workspace, with nothing to read", async () => {
    const bench = openBench(onTestFinished, { sandboxed });
    expect(parsed(await bench.run("bash", { command: "cat; pwd" }))).toMatchObject({
      stdout: `${bench.root}\n`,
      exitCode: 0,
    });
  });

  test("ends what takes too long, with all it started", async () => {
    const bench = openBench(onTestFinished, { sandboxed });
    const mark = `300${process.pid}`;
    const command = `setsid sh -c 'touch one; exec sleep ${mark}' & (setsid setsid sleep ${mark} &); while ! [ -e one ]; do :; done; trap '' TERM; sleep ${mark}`;
    const output = await bench.run("bash", { command, timeout: 3000 });
    expect(existsSync(join(bench.root, "one"))).toBe(true);
    expect(parsed(output)).toMatchObject({ interrupted: true, returnCodeInterpretation: "timeout" });
    expect(commandRuns(`sleep ${mark}`)).toBe(false);
  });

  test("leaves nothing behind when it ends by itself", async () => {
    const bench = openBench(onTestFinished, { sandboxed });
    const mark = `301${process.pid}`;
    const command = `(setsid sh -c 'touch one; exec sleep ${mark}' >/dev/null 2>&1 &); while ! [ -e one ]; do :; done`;
    expect(parsed(await bench.run("bash", { command }))).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(bench.root, "one"))).toBe(true);
    expect(commandRuns(`sleep ${mark}`)).toBe(false);
  });

  test("rejects with the reason when it is cancelled, after everything has ended", async () => {
    const bench = openBench(onTestFinished, { sandboxed });
    const controller = new AbortController();
    const running = bench.run("bash", { command: "echo $$ > one; sleep 300" }, controller.signal);
    const timer = setInterval(() => {
      if (existsSync(join(bench.root, "one"))) controller.abort(new Error("enough"));
    }, 10);
    await expect(running).rejects.toThrow("enough");
    clearTimeout(timer);
  });

  test("keeps a long output in a file without secrets, and shows its beginning and its end", async () => {
    const secret = "correct-horse-battery";
    const bench = openBench(onTestFinished, { sandboxed, secrets: [secret] });
    const output = await bench.run("bash", { command: `seq 1 20000; echo ${secret}; echo late >&2` });
    const { stdout, stderr, persistedOutputPath: path } = parsed(output) as Record<string, string>;
    expect(output.output.length).toBeLessThan(64 * 1024);
    expect(stdout).toMatch(/^1\n2\n/);
    expect(stdout).toContain("bytes left out; all of it is in");
    expect(stderr).toBe("late\n");
    const stored = readFileSync(path ?? "", "utf8");
    expect(stored).toContain("\n9999\n10000\n");
    expect(stored).not.toContain(secret);
    expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
    expect(path?.startsWith(join(bench.root, ".claw", "outputs"))).toBe(true);
  });
});

describe("bash", () => {
  test("takes 50 MB of output and keeps little of it in memory", async () => {
    const bench = openBench(onTestFinished, {});
    await bench.run("bash", { command: "true" });
    const before = bytesInUse();
    let most = before;
    let timer: NodeJS.Timeout | undefined;
    // A collection takes long in a process with a large heap: nine tenths of the time are for the output.
    const look = (): void => {
      const started = performance.now();
      most = Math.max(most, bytesInUse());
      timer = setTimeout(look, Math.max(20, 9 * (performance.now() - started)));
    };
    timer = setTimeout(look, 20);
    const output = await bench.run("bash", { command: "yes 0123456789abcdef | head -c 50000000" });
    clearInterval(timer);
    const { persistedOutputPath: path, persistedOutputSize } = parsed(output);
    expect(persistedOutputSize).toBe(50_000_000);
    expect(statSync(String(path)).size).toBe(50_000_000);
    expect(most - before).toBeLessThan(32 * 1024 * 1024);
  });

  test("does not run in the background, and says so", async () => {
    const bench = openBench(onTestFinished, {});
    expect(await bench.run("bash", { command: "touch x", run_in_background: true })).toMatchObject({ isError: true });
    expect(existsSync(join(bench.root, "x"))).toBe(false);
  });

  test.each(["echo \0", `echo ${"x".repeat(200_000)}`])("refuses what no shell takes", async (command) => {
    const bench = openBench(onTestFinished, {});
    expect(await bench.run("bash", { command })).toMatchObject({ isError: true });
  });

  test("in read-only changes nothing of the workspace in the sandbox", async () => {
    const bench = openBench(onTestFinished, { sandboxed: true, mode: "read-only" });
    writeFileSync(join(bench.root, "a"), "a");
    expect(await bench.call("bash", { command: "cat a > b" })).toMatchObject({ isError: true });
    expect(existsSync(join(bench.root, "b"))).toBe(false);
  });

  test("in danger-full-access runs without the sandbox", async () => {
    const bench = openBench(onTestFinished, { sandboxed: true, mode: "danger-full-access" });
    expect(await bench.call("bash", { command: `touch ${bench.outside}/planted` })).toMatchObject({ isError: false });
    expect(bench.unharmed()).toBe(false);
  });
});
