import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ErrorCode } from "claw-contract";
import { DISPATCH_ERRORS, errorsOf } from "claw-contract";
import { expect, onTestFinished } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Ended, RunOptions } from "./run-claw.ts";
import { BINARY, clawJson, runClaw, verbOf } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

export const NOBODY = 65_534;
export const IS_ROOT = process.getuid?.() === 0;

export const sessionsFolder = ({ cwd }: Workspace): string => join(cwd, ".claw", "sessions");
export const sessionFile = (workspace: Workspace, id: string): string => join(sessionsFolder(workspace), `${id}.jsonl`);
export const lockFile = (workspace: Workspace, id: string): string => join(sessionsFolder(workspace), `${id}.lock`);

/** The record that a call with this idempotency key leaves. */
export const keyFile = ({ cwd }: Workspace, key: string): string =>
  join(cwd, ".claw", "idempotency", `${createHash("sha256").update(key).digest("hex")}.json`);

export const META = '{"type":"session_meta","version":1,"session_id":"seeded","created_at_ms":1700000000000}';
export const MESSAGE = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"hello"}]}}';

/** Puts a session file there as it is given. */
export function putSession(workspace: Workspace, id: string, content: string | Uint8Array): string {
  mkdirSync(sessionsFolder(workspace), { recursive: true });
  writeFileSync(sessionFile(workspace, id), content);
  return sessionFile(workspace, id);
}

/** A file's text, or undefined while there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** State and start time of a process, where the system tells them. */
export function processStat(pid: number): { state: string; started: string | null } {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields?.[0] ?? "?", started: fields?.[19] ?? null };
}

/** Puts a lock there as its holder would have, in place of any other; by default the holder is this living process. */
export function putLock(path: string, owner: { pid?: number; started?: string | null; host?: string } = {}): void {
  const { pid = process.pid, host = hostname() } = owner;
  const started = owner.started === undefined ? processStat(pid).started : owner.started;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, `${pid}.${started ?? ""}..test@${encodeURIComponent(host)}`), "");
}

/** The process that holds a lock, or undefined while nobody does. */
export function holderOf(path: string): number | undefined {
  const [claim] = existsSync(path) ? readdirSync(path) : [];
  return claim === undefined ? undefined : Number.parseInt(claim, 10);
}

/** The process of a call with an idempotency key, once that call is at its work. */
export async function pidOfKeyed(workspace: Workspace, key: string): Promise<number> {
  const path = keyFile(workspace, key);
  await until("the keyed call to begin", () => textOf(path));
  return until("its lock", () => holderOf(`${path}.lock`));
}

const isTransient = (path: string): boolean => /\.lock$|\.tmp$/.test(path);

const isClaim = (path: string): boolean => path.includes(".lock/");

function describeEntry(path: string): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (stats.isDirectory()) return `folder ${mode}`;
  if (!stats.isFile()) return `special ${mode}`;
  const content = stats.size > 4 * 1024 * 1024 ? `${stats.size} bytes` : readFileSync(path).toString("base64");
  return `file ${mode} ${createHash("sha256").update(content).digest("hex")}`;
}

export interface Snapshot {
  /** Everything that is meant to stay, by path. */
  readonly lasting: Readonly<Record<string, string>>;
  /** Locks and temporary files. */
  readonly transient: readonly string[];
}

/** What is in a folder, down to modes and content. */
export function snapshot(folder: string): Snapshot {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isClaim(path))
    .toSorted();
  const lasting = paths.filter((path) => !isTransient(path));
  return {
    lasting: Object.fromEntries(lasting.map((path) => [relative(folder, path), describeEntry(path)])),
    transient: paths.filter(isTransient).map((path) => relative(folder, path)),
  };
}

export type Refusal = Record<string, unknown> & { code: ErrorCode; message: string };

/** Every code that the manifest allows a command to answer with. */
export function declaredCodes(answer: Readonly<Record<string, unknown>>): readonly ErrorCode[] {
  const verb = verbOf(answer);
  return [...DISPATCH_ERRORS, ...(verb === undefined ? [] : errorsOf(verb))];
}

/** Runs a call that must be refused, with a code its command declares and that is no bug. */
export async function refused(workspace: Workspace, args: readonly string[], options?: RunOptions): Promise<Refusal> {
  const body = await clawJson(workspace, args, options);
  const error = body.error as Refusal | undefined;
  if (error === undefined) throw new Error(`${args.join(" ")} was not refused: ${JSON.stringify(body)}`);
  if (error.code === "INTERNAL_ERROR") throw new Error(`${args.join(" ")} met a bug: ${error.message}`);
  expect(declaredCodes(body)).toContain(error.code);
  return error;
}

/** Runs a shell script in which `claw` is the binary. `$1` and so on are the given words. */
export function runShell(
  workspace: Workspace,
  script: string,
  { words = [], env = {} }: { words?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const setup = `claw() { "$CLAW_TEST_NODE" "$CLAW_TEST_BINARY" "$@"; }\n`;
  const child = spawn("/bin/sh", ["-c", setup + script, "sh", ...words], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, { CLAW_TEST_NODE: process.execPath, CLAW_TEST_BINARY: BINARY, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return outputOf(child);
}

/** A module that every node process of a call loads first. */
export function preload({ home }: Workspace, code: string): NodeJS.ProcessEnv {
  const path = join(home, "preload.cjs");
  writeFileSync(path, code);
  return { NODE_OPTIONS: `--require=${path}` };
}

/** Opens a workspace to a user who owns nothing in it. */
export function admitStrangers({ cwd, home }: Workspace): void {
  for (const folder of [dirname(cwd), cwd, home]) chmodSync(folder, 0o755);
}

/** Puts a small disk in place of the working folder, until the test is over. */
export function mountDisk({ cwd }: Workspace): { readonly makeReadOnly: () => void } {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", cwd]);
  if (status !== 0) throw new Error("the disk could not be mounted");
  onTestFinished(() => void spawnSync("umount", ["--lazy", cwd]));
  return {
    makeReadOnly: () => {
      if (spawnSync("mount", ["-o", "remount,ro", cwd]).status !== 0) throw new Error("the disk stayed writable");
    },
  };
}

/** Keeps a file from being removed: something is mounted there. */
export function holdFile(path: string): void {
  if (spawnSync("mount", ["--bind", path, path]).status !== 0) throw new Error("the file could not be mounted");
  onTestFinished(() => void spawnSync("umount", ["--lazy", path]));
}

/** Whether this machine lets us mount a disk. */
export function canMount(folder: string): boolean {
  if (!IS_ROOT || spawnSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]).status !== 0) return false;
  return spawnSync("umount", [folder]).status === 0;
}

/** Stores something, so that there is a session to work with. */
export async function seed(workspace: Workspace, id: string, prompt = "hello"): Promise<string> {
  await clawJson(workspace, ["flush-transcript", prompt, "--session-id", id]);
  return sessionFile(workspace, id);
}

/** Begins a call with a key on a session that this process holds, and kills it at its work. */
export async function cutOffKeyedCall(workspace: Workspace, args: readonly string[], key: string): Promise<void> {
  const ended = runClaw(workspace, [...args, "--idempotency-key", key]);
  process.kill(await pidOfKeyed(workspace, key), "SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
}
