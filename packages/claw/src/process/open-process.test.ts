import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { OpenProcess, ProcessRequest } from "./open-process.ts";
import { openProcess } from "./open-process.ts";
import { groupRuns } from "./testing/group-runs.ts";
import { signalTo } from "./system/process-signals.ts";
import { identify, isRunning } from "./process-identity.ts";

const ENDING = { politeMs: 200, firmMs: 60_000 };
/** For programs that end when they are asked to: a busy machine may let them wait. */
const PATIENT = { ...ENDING, politeMs: 60_000 };
/** For programs of which one listens and another does not. */
const HALF_PATIENT = { ...ENDING, politeMs: 2000 };

/** Starts a program that is ended with the test, come what may. */
async function open(argv: readonly [string, ...string[]], more: Partial<ProcessRequest> = {}): Promise<OpenProcess> {
  const opened = await openProcess({
    argv,
    cwd: "/",
    env: process.env,
    input: false,
    aheadBytes: 256 * 1024,
    onStderr: () => undefined,
    ending: ENDING,
    ...more,
  });
  onTestFinished(() => void signalTo(-opened.pid, "SIGKILL"));
  return opened;
}

const shell = (script: string, more?: Partial<ProcessRequest>): Promise<OpenProcess> =>
  open(["sh", "-c", script], more);

async function read({ output }: OpenProcess): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reads until the program has said this, and leaves the rest to be read later. */
async function readUntil({ output }: OpenProcess, word: string): Promise<void> {
  const chunks = output[Symbol.asyncIterator]();
  for (let text = ""; !text.includes(word);) {
    const step = await chunks.next();
    if (step.done) throw new Error(`it never said ${word}`);
    text += Buffer.from(step.value).toString();
  }
}

/** Keeps this process from its event loop, as a busy machine does. */
function holdUp(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** A program of Node's, whose standard input stays out of its way. */
const node = (script: string): readonly [string, ...string[]] => [process.execPath, "-e", script];

describe("a process", () => {
  test("gives its output, its exit and what it complains about", async () => {
    const complaints: Uint8Array[] = [];
    const child = await shell("printf 'a\\nb'; echo no >&2; exit 3", { onStderr: (chunk) => complaints.push(chunk) });
    expect([await read(child), await child.exited]).toEqual(["a\nb", { exitCode: 3, signal: null }]);
    expect(Buffer.concat(complaints).toString()).toBe("no\n");
  });

  test("that is not written to has nothing to read", async () => {
    const child = await shell("cat; echo done");
    expect(await read(child)).toBe("done\n");
  });

  test("gets what is written, however long", async () => {
    const child = await shell("wc -c", { input: true });
    const taken = child.write("x".repeat(300_000));
    void taken.then(() => child.closeInput());
    expect([Number(await read(child)), await taken]).toEqual([300_000, true]);
  });

  test("that ends without reading makes a write fail, not the writer", async () => {
    const child = await shell("exec sleep 0", { input: true });
    const taken = child.write("x".repeat(3_000_000));
    expect([await taken, await child.exited]).toEqual([false, { exitCode: 0, signal: null }]);
    expect(await child.write("more")).toBe(false);
  });

  test("that ended by a signal says which", async () => {
    const child = await shell("kill -9 $$");
    expect([await read(child), await child.exited]).toEqual(["", { exitCode: null, signal: "SIGKILL" }]);
  });

  test("is held up by a reader that takes its time, and loses nothing by that", async () => {
    const aheadBytes = 64 * 1024;
    const child = await shell("head -c 5000000 /dev/zero", { aheadBytes });
    let size = 0;
    for await (const chunk of child.output) {
      size += chunk.length;
      await new Promise(setImmediate);
    }
    expect(size).toBe(5_000_000);
  });

  test("leads a group of its own", async () => {
    const child = await shell("ps -o pgid= -p $$ || cut -d' ' -f5 /proc/$$/stat");
    expect(Number(await read(child))).toBe(child.pid);
  });

  test.each([
    ["a program that is not there", ["claw-has-no-such-program"], "/", "ENOENT"],
    ["a file that is no program", ["/etc/passwd"], "/", "EACCES"],
    ["a folder that is not there", ["true"], "/not/there", "ENOENT"],
  ] as const)("%s cannot be started", async (_name, argv, cwd, code) => {
    await expect(open(argv, { cwd })).rejects.toMatchObject({ code });
  });
});

describe("a grandchild that keeps the pipe", () => {
  test("is not waited for when the process has ended, and goes on", async () => {
    const child = await shell("sleep 600 & echo $!; exit 4");
    const grandchild = identify(Number(await read(child)));
    expect([await child.exited, isRunning(grandchild)]).toEqual([{ exitCode: 4, signal: null }, true]);
    expect([await child.end(), isRunning(grandchild)]).toEqual([true, false]);
  });

  test("and never stops writing does not keep the reader for ever", async () => {
    const child = await shell("echo y; yes & exit 0");
    const text = await read(child);
    expect([await child.exited, text.startsWith("y\n")]).toEqual([{ exitCode: 0, signal: null }, true]);
  });

  test.each([
    ["stdout", "printf x"],
    ["stderr", "printf x >&2"],
  ])("and writes a little to %s now and then does not keep the reader either", async (_name, write) => {
    const child = await shell(`(while :; do ${write}; sleep 0.02; done) & echo said; exit 0`);
    const text = await read(child);
    expect([await child.exited, text.replaceAll("x", "")]).toEqual([{ exitCode: 0, signal: null }, "said\n"]);
  });

  test("hides nothing of what the process wrote last", async () => {
    const child = await shell("sleep 600 & head -c 150000 /dev/zero; printf end");
    const text = await read(child);
    expect([text.length, text.endsWith("end")]).toEqual([150_003, true]);
  });
});

describe("ending", () => {
  test("asks first, and what is said in answer is still heard", async () => {
    const child = await shell("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done", {
      ending: PATIENT,
    });
    const chunks = child.output[Symbol.asyncIterator]();
    await chunks.next();
    await child.end();
    const { value } = await chunks.next();
    expect([Buffer.from(value ?? "").toString(), await child.exited]).toEqual(["bye\n", { exitCode: 7, signal: null }]);
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  test("kills what does not listen", async () => {
    const child = await shell("trap '' TERM; echo ready; while :; do sleep 0.01; done");
    await readUntil(child, "ready");
    await child.end();
    expect([await child.exited, groupRuns(child.pid)]).toEqual([{ exitCode: null, signal: "SIGKILL" }, false]);
  });

  test("kills a grandchild that does not listen when the process itself did", async () => {
    const script = "trap 'exit 0' TERM; (trap '' TERM; echo ready; while :; do sleep 0.01; done) & wait";
    const child = await shell(script, { ending: HALF_PATIENT });
    await readUntil(child, "ready");
    await child.end();
    expect([await child.exited, groupRuns(child.pid)]).toEqual([{ exitCode: 0, signal: null }, false]);
  });

  test("reaches a grandchild that has left the group and does not listen", async () => {
    const grandchild = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)";
    const child = await open(
      node(
        `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}],
           { detached: true, stdio: ["ignore", "inherit", "inherit"] });
         setInterval(() => {}, 1000);`,
      ),
      { ending: HALF_PATIENT },
    );
    const { value } = await child.output[Symbol.asyncIterator]().next();
    const left = identify(Number(Buffer.from(value ?? "").toString()));
    expect(isRunning(left)).toBe(true);
    await child.end();
    expect([isRunning(left), await child.exited]).toEqual([false, { exitCode: null, signal: "SIGTERM" }]);
  });

  test("knows the signal of a process whose exit comes late, because this process was held up", async () => {
    const child = await shell("echo ready; exec sleep 600", { ending: { politeMs: 0, firmMs: 0 } });
    await readUntil(child, "ready");
    const ended = child.end();
    // `end` has killed it; a few turns of promises later it has set its timer.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    holdUp(50);
    await ended;
    expect(await child.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("ends a process that was stopped", async () => {
    const child = await shell("echo ready; kill -STOP $$");
    await readUntil(child, "ready");
    await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, "utf8"), { interval: 5 }).toContain(") T ");
    await child.end();
    expect(await child.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("does not wait for a write that nobody takes", async () => {
    const child = await shell("echo ready; exec sleep 600", { input: true, ending: PATIENT });
    const taken = child.write("x".repeat(3_000_000));
    await readUntil(child, "ready");
    await child.end();
    expect([await taken, await child.exited]).toEqual([false, { exitCode: null, signal: "SIGTERM" }]);
  });

  test("twice is once", async () => {
    const child = await shell("echo ready; exec sleep 600", { ending: PATIENT });
    await readUntil(child, "ready");
    await Promise.all([child.end(), child.end()]);
    await child.end();
    expect(await child.exited).toEqual({ exitCode: null, signal: "SIGTERM" });
  });

  test("gives back what was written before", async () => {
    const child = await shell("printf 'first\\nsecond'; touch said; exec sleep 600", {
      cwd: temporaryFolder(onTestFinished),
    });
    const reading = read(child);
    await expect.poll(() => existsSync(join(`/proc/${child.pid}/cwd`, "said")), { interval: 5 }).toBe(true);
    await child.end();
    expect(await reading).toBe("first\nsecond");
  });
});
