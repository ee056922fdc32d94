import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("run-tests.mjs", import.meta.url));

/**
 * Changed code may signal any process and remove any file. So it sees processes of its own only, and can write nothing
 * but the temporary folder.
 */
const boxed = (folder) => {
  const visible = "--unshare-pid --ro-bind / / --dev-bind /dev /dev --proc /proc";
  const places = { TMPDIR: join(folder, "tmp"), HOME: join(folder, "home") };
  const set = Object.entries(places).flatMap(([name, path]) => ["--setenv", name, path]);
  return ["--die-with-parent", ...visible.split(" "), "--bind", folder, folder, ...set];
};

/** Starts a process that has vitest loaded and runs the tests it is told to run. */
function start(folder, copy) {
  return spawn("bwrap", [...boxed(folder), "--chdir", copy, "--", process.execPath, PROGRAM], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

/** Resolves with the answer to one order, or with why there is none. */
function answerOf(child, order, timeoutMs) {
  return new Promise((resolve) => {
    const settle = (result) => {
      clearTimeout(timer);
      for (const [event, listener] of listeners) child.off(event, listener);
      resolve(result);
    };
    const listeners = [
      ["message", settle],
      ["error", (error) => settle({ outcome: "failed", lost: error.message })],
      ["exit", () => settle({ outcome: "failed", lost: "the test process ended" })],
    ];
    const timer = setTimeout(() => settle({ outcome: "hung", lost: `${timeoutMs} ms` }), timeoutMs);
    for (const [event, listener] of listeners) child.on(event, listener);
    child.send(order);
  });
}

/**
 * Runs tests of the copied tree in a process that is kept from run to run, because starting vitest takes longer than
 * most tests. `run` resolves with `passed`, `failed` or `hung`; a process that hangs or dies is replaced.
 */
export function createTestRunner({ folder, copy }) {
  let child;
  let isClosed = false;
  const stop = async () => {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    ended.kill("SIGKILL");
    await once(ended, "exit");
  };
  return {
    async run(order, timeoutMs) {
      // The folder is about to be removed: a run that went on would write into it.
      if (isClosed) await new Promise(() => {});
      child ??= start(folder, copy);
      const result = await answerOf(child, order, timeoutMs);
      if (result.lost !== undefined) await stop();
      return result;
    },
    close: () => {
      isClosed = true;
      return stop();
    },
  };
}
