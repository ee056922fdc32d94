import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { effort } from "./effort.ts";
import { cutOffKeyedCall, lockFile, preload, putLock, refused, seed, sessionsFolder } from "./provocations.ts";
import { BINARY, clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

/** The prompts of a session that count, in their order. */
async function storedPrompts(workspace: Workspace, id: string): Promise<string[]> {
  const body = await clawJson(workspace, ["export", "--session-id", id, "--format", "json"]);
  const records = body["transcript"] as { type: string; message?: { blocks: { text: string }[] } }[];
  return records.flatMap(({ type, message }) => (type === "message" ? [message?.blocks[0]?.text ?? ""] : []));
}

/** Stores a prompt and kills the process at the given event in the sessions folder. Says what was acknowledged. */
async function storeAndKill(workspace: Workspace, prompt: string, eventsBefore: number): Promise<boolean> {
  const args = [BINARY, "flush-transcript", prompt, "--session-id", "s", "--output-format", "json"];
  const child = spawn(process.execPath, args, {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let events = 0;
  const watcher = watch(sessionsFolder(workspace), () => {
    events += 1;
    if (events > eventsBefore) child.kill("SIGKILL");
  });
  const { stdout } = await outputOf(child);
  watcher.close();
  return stdout.includes('"flushed":true');
}

/**
 * Makes a call die at its nth change to the disk: before it, or halfway through it when it writes. A call with fewer
 * changes ends by itself.
 */
const dyingAt = (workspace: Workspace, n: number, half: boolean): NodeJS.ProcessEnv =>
  preload(
    workspace,
    `const fs = require("node:fs");
     let left = ${n};
     for (const name of ["openSync", "writeSync", "fsyncSync", "linkSync", "unlinkSync", "renameSync", "mkdirSync", "ftruncateSync"]) {
       const original = fs[name];
       fs[name] = (...args) => {
         const changesNothing = name === "openSync" ? !(args[1] & 0o103) : args[0] === 1 || args[0] === 2;
         if (changesNothing) return original(...args);
         left -= 1;
         if (left === 0) {
           if (${half} && name === "writeSync") original(args[0], args[1].subarray(0, args[1].length >> 1));
           process.kill(process.pid, "SIGKILL");
         }
         return original(...args);
       };
     }`,
  );

/** Runs a call again and again, dying one step later each time, until it lives to its end. */
async function dieEverywhere(
  workspace: Workspace,
  args: (step: number) => readonly string[],
  check: (step: number) => Promise<void>,
): Promise<number> {
  for (let step = 1; step < 100; step += 1) {
    const { signal, exitCode } = await runClaw(workspace, [...args(step), "--output-format", "json"], {
      env: dyingAt(workspace, step, step % 2 === 0),
    });
    if (signal === null && exitCode !== 0) throw new Error(`step ${step} failed instead of dying`);
    if (signal === null) return step - 1;
    await check(step);
  }
  throw new Error("the call never came to its end");
}

describe("kill -9", () => {
  test("at random moments never loses or doubles a prompt that was acknowledged", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s", "first");
    const acknowledged = ["first"];
    for (let round = 0; round < effort(12, 30); round += 1) {
      const prompt = `prompt-${round}`;
      if (await storeAndKill(workspace, prompt, Math.floor(Math.random() * 10))) acknowledged.push(prompt);
      expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ loaded: true });
    }
    const after = await clawJson(workspace, ["flush-transcript", "last", "--session-id", "s"]);
    const stored = await storedPrompts(workspace, "s");
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.filter((prompt) => acknowledged.includes(prompt))).toEqual(acknowledged);
    expect(stored.at(-1)).toBe("last");
    expect(after["messages_count"]).toBe(stored.length);
  });

  test("at any step of an append leaves a session that loads and can be gone on with", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s", "first");
    const kept = ["first"];
    const steps = await dieEverywhere(
      workspace,
      (step) => ["flush-transcript", `lost-${step}`, "--session-id", "s"],
      async (step) => {
        const body = await clawJson(workspace, ["flush-transcript", `kept-${step}`, "--session-id", "s"]);
        expect(body).toMatchObject({ flushed: true });
        kept.push(`kept-${step}`);
      },
    );
    expect(steps).toBeGreaterThan(5);
    const stored = await storedPrompts(workspace, "s");
    expect(stored.filter((prompt) => !prompt.startsWith("lost-"))).toEqual(kept);
    expect(new Set(stored).size).toBe(stored.length);
    const lines = readFileSync(join(sessionsFolder(workspace), "s.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    for (const line of lines) expect(() => void JSON.parse(line)).not.toThrow();
  });

  test("at any step of the first append leaves nothing that hinders the second", async () => {
    const workspace = createWorkspace();
    const steps = await dieEverywhere(
      workspace,
      (step) => ["flush-transcript", "lost", "--session-id", `s${step}`],
      async (step) => {
        const body = await clawJson(workspace, ["flush-transcript", "kept", "--session-id", `s${step}`]);
        expect(body).toMatchObject({ flushed: true });
        expect(await clawJson(workspace, ["load-session", `s${step}`])).toMatchObject({ stopped: true });
      },
    );
    expect(steps).toBeGreaterThan(5);
  });

  test("at any step of an export leaves the old file or the whole new one", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s", "x".repeat(50_000));
    const target = join(workspace.cwd, "notes.md");
    const whole = `# Session s\n\n## User\n\n${"x".repeat(50_000)}\n`;
    writeFileSync(target, "old");
    await dieEverywhere(
      workspace,
      () => ["export", "notes.md", "--session-id", "s", "--yes"],
      async () => {
        expect(["old", whole]).toContain(readFileSync(target, "utf8"));
      },
    );
    expect(readFileSync(target, "utf8")).toBe(whole);
  });

  test("at any step of init leaves a folder that init can finish", async () => {
    const workspace = createWorkspace();
    for (let step = 1; step < 40; step += 1) {
      const folder = join(workspace.cwd, `f${step}`);
      mkdirSync(folder);
      const { signal } = await runClaw(workspace, ["init", "--cwd", folder], { env: dyingAt(workspace, step, true) });
      if (signal === null) return;
      expect(await clawJson(workspace, ["init", "--cwd", folder])).toMatchObject({ exit_code: 0 });
      const { load_error } = await clawJson(workspace, ["config", "--cwd", folder]);
      expect(load_error).toBeNull();
    }
  });

  test("at any step of a call with a key never lets the call happen twice", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s", "first");
    const steps = await dieEverywhere(
      workspace,
      (step) => ["flush-transcript", `once-${step}`, "--session-id", "s", "--idempotency-key", `k${step}`],
      async (step) => {
        const args = ["flush-transcript", `once-${step}`, "--session-id", "s", "--idempotency-key", `k${step}`];
        const body = await clawJson(workspace, args);
        expect([undefined, "IDEMPOTENCY_OUTCOME_UNKNOWN"]).toContain(body.error?.code);
      },
    );
    expect(steps).toBeGreaterThan(10);
    expect(await clawJson(workspace, ["flush-transcript", "last", "--session-id", "s"])).toMatchObject({
      flushed: true,
    });
    const stored = await storedPrompts(workspace, "s");
    expect(new Set(stored).size).toBe(stored.length);
  });

  test("during a call with a key makes its outcome unknown, and a new key is free", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    putLock(lockFile(workspace, "s"));
    const args = ["flush-transcript", "again", "--session-id", "s"];
    await cutOffKeyedCall(workspace, args, "k");
    putLock(lockFile(workspace, "s"), { pid: 2 ** 22 + 1, started: "1" });
    expect((await refused(workspace, [...args, "--idempotency-key", "k"])).code).toBe("IDEMPOTENCY_OUTCOME_UNKNOWN");
    expect(await clawJson(workspace, [...args, "--idempotency-key", "k2"])).toMatchObject({ messages_count: 2 });
  });

  test("of one process after the other that takes over a dead lock never closes the session for good", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    putLock(lockFile(workspace, "s"), { pid: 2 ** 22 + 1, started: "1" });
    for (let death = 0; death < effort(8, 16); death += 1) {
      // Each one meets what the one before it left, and so dies four steps later.
      const env = dyingAt(workspace, 5 + 4 * death, false);
      await runClaw(workspace, ["flush-transcript", "lost", "--session-id", "s"], { env });
    }
    expect(await clawJson(workspace, ["flush-transcript", "kept", "--session-id", "s"])).toMatchObject({
      flushed: true,
    });
  });

  test("leaves litter that goes with its session", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    for (let step = 1; step <= 8; step += 1) {
      const env = dyingAt(workspace, step, true);
      await runClaw(workspace, ["flush-transcript", "lost", "--session-id", "s"], { env });
    }
    await clawJson(workspace, ["flush-transcript", "kept", "--session-id", "s"]);
    await clawJson(workspace, ["delete-session", "s"]);
    expect(readdirSync(sessionsFolder(workspace))).toEqual([]);
  });
});
