import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ErrorCode, Verb } from "claw-contract";
import { errorRow, exitNumber } from "claw-contract";
import { ClawEnvelope, FlatEnvelope, ResponseEnvelope, VERBS } from "claw-contract/schemas";
import { expect } from "vitest";
import type { Ended } from "../../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

export type { Ended };

export const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  readonly uid?: number;
}

/** Runs the built binary to its end, with nothing on stdin unless given. */
export function runClaw(workspace: Workspace, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, options.env),
    stdio: "pipe",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(options.stdin);
  return outputOf(child);
}

export type Body = Record<string, unknown> & { error?: Record<string, unknown> & { code: ErrorCode } };

/** The verb that an answer says it comes from; undefined when that is none. */
export function verbOf({ command, action }: Readonly<Record<string, unknown>>): Verb | undefined {
  const name = typeof action === "string" ? `${String(command)} ${action}` : command;
  return Object.values(VERBS).find((verb) => verb.name === name);
}

/** What holds for every JSON answer, whatever was asked: one object, one line, quiet stderr, no escape codes. */
function oneObject({ stdout, stderr }: Ended): Body {
  expect(stderr).toBe("");
  expect(stdout.endsWith("}\n")).toBe(true);
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  expect(stdout.includes("\u001B")).toBe(false);
  return JSON.parse(stdout) as Body;
}

/** Runs a call in the default envelope and checks everything that envelope promises. */
export async function clawJson(workspace: Workspace, args: readonly string[], options?: RunOptions): Promise<Body> {
  const ended = await runClaw(workspace, [...args, "--output-format", "json"], options);
  const body = oneObject(ended);
  ClawEnvelope.parse(body);
  expect(body["exit_code"]).toBe(ended.exitCode);
  expect(Object.hasOwn(body, "error")).toBe(ended.exitCode !== 0);
  const verb = args.includes("--help") || args.includes("-h") ? (VERBS.help as unknown as Verb) : verbOf(body);
  if (ended.exitCode === 0 && !body["not_modified"] && !("file" in body && body["truncated"])) {
    verb?.output.parse(body);
  }
  return body;
}

/** Runs a call in the `flat` envelope. */
export async function flatJson(workspace: Workspace, args: readonly string[], options?: RunOptions): Promise<Body> {
  const ended = await runClaw(workspace, [...args, "--output-format", "json", "--envelope", "flat"], options);
  const body = oneObject(ended);
  FlatEnvelope.parse(body);
  expect(ended.exitCode).toBe(body["type"] === "error" ? 1 : 0);
  return body;
}

export interface Response {
  readonly ok: boolean;
  readonly data: Record<string, unknown> | null;
  readonly error: (Record<string, unknown> & { code: ErrorCode }) | null;
  readonly warnings: readonly string[];
  readonly meta: Record<string, unknown>;
}

/** Runs a call in the `response` envelope; also says how it exited. */
export async function responseJson(
  workspace: Workspace,
  args: readonly string[],
  options?: RunOptions,
): Promise<Response & { readonly exitCode: number | null }> {
  const ended = await runClaw(workspace, [...args, "--output-format", "json", "--envelope", "response"], options);
  const body = oneObject(ended) as unknown as Response;
  ResponseEnvelope.parse(body);
  expect(body.ok).toBe(ended.exitCode === 0);
  expect(body.error === null).toBe(body.ok);
  if (body.data === null && body.error === null) expect(body.meta["not_modified"]).toBe(true);
  if (body.error !== null && body.error.code !== "CANCELLED") {
    expect(ended.exitCode).toBe(exitNumber(errorRow(body.error.code).exit));
  }
  return { ...body, exitCode: ended.exitCode };
}
