import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "claw-contract";
import { expect, onTestFinished } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Harness, SpawnSpec } from "../harness.ts";
import { HARNESSES } from "../harness-table.ts";
import type { RunItem } from "../stream/run-reader.ts";
import type { AgentRun, RunOutcome } from "../runner/run-agent.ts";
import type { SilenceLimits } from "../runner/watchdog.ts";
import { runAgent } from "../runner/run-agent.ts";
import type { AgentRunOptions } from "../runner/start-agent.ts";

/** Lines of Claude Code as a shell script would print them. */
export const SAYS = {
  init: `echo '{"type":"system","subtype":"init","session_id":"s1","apiKeySource":"none"}'`,
  hello: `echo '{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]},"parent_tool_use_id":null}'`,
  result: `echo '{"type":"result","subtype":"success","is_error":false,"result":"hello","num_turns":1,"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":5}}'`,
  task: `echo '{"type":"system","subtype":"task_started","task_id":"t1","is_backgrounded":true,"description":"tests"}'`,
} as const;

/** Claude Code, but for its program: a script for a shell. */
export function scripted(script: string, spec: Partial<SpawnSpec> = {}): Harness {
  const command = (): SpawnSpec => ({
    argv: ["sh", "-c", script],
    stdin: null,
    dialogue: false,
    metadata: {},
    diagnostics: [],
    ...spec,
  });
  return { ...HARNESSES["claude-code"], command };
}

const NEVER = new AbortController().signal;

export interface TinyRun {
  /** Where the script runs; it leaves its pid in `pid` there when it calls `noted`. */
  readonly cwd: string;
  readonly run: AgentRun;
}

/** A shell line that notes the group's leader in a file, whole or not at all. */
export const noted = "echo $$ > pid.tmp && mv pid.tmp pid";

/** Starts a harness in a folder of its own. */
export async function start(
  harness: Harness,
  more: Partial<Omit<AgentRunOptions, "harness">> = {},
  signal: AbortSignal = NEVER,
): Promise<TinyRun> {
  const cwd = more.request?.cwd ?? temporaryFolder(onTestFinished);
  const run = await runAgent(
    {
      harness,
      request: { prompt: "hi", skill: null, model: null, cwd, env: process.env, loggedIn: false, program: null },
      reading: {},
      redactor: createRedactor(),
      silence: { idleMs: null, lingerMs: 60_000 },
      temporaryFolder: tmpdir(),
      decide: null,
      ...more,
    },
    signal,
  );
  return { cwd, run };
}

export interface Finished extends RunOutcome {
  readonly items: readonly RunItem[];
}

/** Reads a run to its end. */
export async function finish({ run: { batches } }: TinyRun): Promise<Finished> {
  const items: RunItem[] = [];
  for (;;) {
    const step = await batches.next();
    if (step.done) return { ...step.value, items };
    items.push(...step.value.items);
  }
}

/** Starts a harness and reads it to its end. `pid` leads the agent's group. */
export async function play(
  ...given: Parameters<typeof start>
): Promise<Finished & { readonly cwd: string; readonly pid: number }> {
  const tiny = await start(...given);
  return { ...(await finish(tiny)), cwd: tiny.cwd, pid: tiny.run.pid };
}

/** As `play`, but the agent may be silent for ever before its first words: a busy machine takes long to start it. */
export async function playSilentLater(harness: Harness, limits: SilenceLimits): ReturnType<typeof play> {
  let hasSpoken = false;
  const silence: SilenceLimits = {
    get idleMs() {
      return hasSpoken ? limits.idleMs : null;
    },
    lingerMs: limits.lingerMs,
  };
  const { cwd, run } = await start(harness, { silence });
  const items: RunItem[] = [];
  for (;;) {
    const step = await run.batches.next();
    if (step.done) return { ...step.value, items, cwd, pid: run.pid };
    items.push(...step.value.items);
    hasSpoken = true;
  }
}

export const isThere = (cwd: string, name: string): boolean => existsSync(join(cwd, name));

/** The pid a script noted. */
export const pidIn = (cwd: string, name = "pid"): number => Number(readFileSync(join(cwd, name), "utf8"));

/** Waits until a script has come so far that it made a file. */
export async function made(cwd: string, name: string): Promise<void> {
  await expect.poll(() => isThere(cwd, name), { interval: 5, timeout: 20_000 }).toBe(true);
}
