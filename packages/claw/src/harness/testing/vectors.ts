import { readFileSync } from "node:fs";
import type { HarnessId, JsonObject, RunResult } from "claw-contract";
import { createRunReader } from "../stream/create-run-reader.ts";
import type { RunRequest, SpawnSpec } from "../harness.ts";
import { HARNESSES } from "../harness-table.ts";
import type { ExitEvidence } from "../stream/run-reader.ts";

/** What surrounds a stream: the process, its environment, how its lines are written down. */
interface VectorOptions {
  readonly model?: string;
  readonly subject?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode?: number;
  readonly stderr?: string;
  readonly hangSeconds?: number;
  readonly lastMessage?: string;
  readonly allowHangHeuristic?: boolean;
  readonly trailingNewline?: boolean;
  readonly joiner?: string;
  readonly linesEncoding?: "base64";
  readonly repeat?: readonly { readonly line: number; readonly times: number }[];
}

export interface Vector {
  readonly name: string;
  readonly harness: HarnessId;
  readonly lines: readonly string[];
  readonly options?: VectorOptions;
  readonly expect: JsonObject;
  readonly ours?: JsonObject;
}

const FILE = new URL("../../../../../test/fixtures/harness/vectors.json", import.meta.url);

export const VECTORS = JSON.parse(readFileSync(FILE, "utf8")) as readonly Vector[];

/**
 * What is expected of us. Where the reference fails with an exception, only our own words count; where it found no
 * output and we do, its `succeeded` followed from that and does not count.
 */
export function expectationOf({ expect, ours = {} }: Vector): JsonObject {
  const { raises: _raises, succeeded, ...expected } = expect;
  const isFoundByUs = expect["output"] === "" && ours["output"] !== undefined;
  return { ...expected, ...(succeeded === undefined || isFoundByUs ? {} : { succeeded }), ...ours };
}

function bytesOf({ lines, options = {} }: Vector): Uint8Array {
  const { joiner = "\n", trailingNewline = true, linesEncoding, repeat = [] } = options;
  const times = new Map(repeat.map(({ line, times: count }) => [line, count]));
  const all = lines.flatMap((line, index) => Array.from({ length: times.get(index) ?? 1 }, () => line));
  const end = trailingNewline && all.length > 0 ? [""] : [];
  const parts = [...all.map((line) => Buffer.from(line, linesEncoding ?? "utf8")), ...end.map(() => Buffer.alloc(0))];
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(joiner), part])));
}

function requestOf({ options = {} }: Vector): RunRequest {
  return {
    prompt: "one two",
    skill: "demo",
    model: options.model ?? null,
    cwd: "/w",
    env: options.env ?? {},
    dialogue: false,
    loggedIn: false,
    lastMessagePath: "/w/last-message",
    program: null,
  };
}

function evidenceOf({ options = {} }: Vector): ExitEvidence {
  const { exitCode = 0, stderr = "", hangSeconds, lastMessage } = options;
  const end = hangSeconds === undefined ? { exitCode, signal: null } : { exitCode: null, signal: "SIGKILL" };
  return {
    ...end,
    stderr,
    ended: hangSeconds === undefined ? "by-itself" : "total-deadline",
    durationMs: 10,
    ...(lastMessage === undefined ? {} : { lastMessage }),
  };
}

/** Plays a vector: the command that would have been started, and the result. */
export function play(vector: Vector): { readonly command: SpawnSpec; readonly result: RunResult } {
  const harness = HARNESSES[vector.harness];
  const { subject, allowHangHeuristic, env } = vector.options ?? {};
  const command = harness.command(requestOf(vector));
  const reader = createRunReader(harness, {
    metadata: command.metadata,
    diagnostics: command.diagnostics,
    ...(subject === undefined ? {} : { subject }),
    hangHeuristic: allowHangHeuristic ?? true,
    backgroundTasks: env?.["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] !== "1",
  });
  reader.push(bytesOf(vector));
  return { command, result: reader.finish(evidenceOf(vector)) };
}
