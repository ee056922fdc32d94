import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { RunAnswer } from "claw-contract";
import { RunAnswer as RunAnswerSchema } from "claw-contract/schemas";
import { onTestFinished } from "vitest";
import type { Ended } from "../../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { BINARY } from "../e2e/run-claw.ts";
import type { RealScene } from "./real-scene.ts";

/** A call of the built binary in a scene; the process, and its end. */
export function startClaw(
  { cwd, env }: RealScene,
  args: readonly string[],
  stdin = "",
): { readonly child: ChildProcess; readonly answer: Promise<Ended> } {
  const child = spawn(process.execPath, [BINARY, ...args], { cwd, env, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(stdin);
  return { child, answer: outputOf(child) };
}

/** A run of a real CLI by claw: the exit, and the result, whether the run failed or not. */
export interface RealRun {
  readonly exitCode: number | null;
  readonly code: string | null;
  readonly result: RunAnswer;
}

const LIMITS = ["--timeout-seconds", "120"];
const JSON_FLAGS = ["--output-format", "json", "--envelope", "claw"];

/** Runs a prompt by `claw run` and reads its answer. */
export async function runReal(scene: RealScene, harness: string, ...flags: string[]): Promise<RealRun> {
  const args = ["run", "please do it", "--harness", harness, ...LIMITS, ...flags, ...JSON_FLAGS];
  const { exitCode, stdout } = await startClaw(scene, args).answer;
  const body = JSON.parse(stdout) as { result: unknown; error?: { code: string } };
  return { exitCode, code: body.error?.code ?? null, result: RunAnswerSchema.parse(body.result) };
}
