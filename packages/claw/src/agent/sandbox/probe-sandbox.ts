import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { ClawError } from "claw-contract";
import { systemShell } from "../../process/index.ts";
import { keepsPrivate } from "../permissions/private-places.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside } from "../permissions/workspace.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { Sandbox, SandboxPlace } from "./sandbox.ts";
import { createSeatbelt } from "./seatbelt/create-seatbelt.ts";

/** How long the sandbox may take to show that it works. */
const SANDBOX_PROBE_MS = 20_000;

export const SANDBOX_PREFERENCES = ["auto", "off", "required"] as const;

export type SandboxPreference = (typeof SANDBOX_PREFERENCES)[number];

export interface SandboxOptions {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly preference?: SandboxPreference;
  readonly platform?: NodeJS.Platform;
}

type Unavailable = { readonly kind: "unavailable"; readonly reason: string };

export type SandboxState = { readonly kind: "available"; readonly sandbox: Sandbox } | Unavailable;

const unavailable = (reason: string): Unavailable => ({ kind: "unavailable", reason });

/** A trial run, to see whether the sandbox works here. */
interface Trial {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** How a trial ended. */
interface TrialEnd {
  readonly error?: Error | undefined;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/**
 * Commands to try in the sandbox, run as real commands are: once with a read-only workspace, once with a writable one.
 */
const trialsOf = (sandbox: Sandbox, { workspace, env }: SandboxOptions): Trial[] =>
  [false, true].map((writable) => ({
    argv: sandbox.wrap(systemShell.run("exit 0"), { cwd: workspace.root, writable }),
    env: commandEnvironment({ env, workspace, manner: "confined" }),
  }));

const TRIAL_LIMITS = { timeout: SANDBOX_PROBE_MS, killSignal: "SIGKILL" } as const;

function runTrial({ argv: [file, ...args], env }: Trial): TrialEnd {
  const { error, status, signal, stderr } = spawnSync(file, args, {
    ...TRIAL_LIMITS,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return { error, status, signal, stderr: stderr?.toString() ?? "" };
}

function startTrial({ argv: [file, ...args], env }: Trial): Promise<TrialEnd> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...TRIAL_LIMITS, env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", (error) => resolve({ error, status: null, signal: null, stderr }));
    child.on("close", (status, signal) => resolve({ status, signal, stderr }));
  });
}

function judgeTrials(sandbox: Sandbox, ends: readonly TrialEnd[]): SandboxState {
  const failed = ends.find(({ error, status }) => error !== undefined || status !== 0);
  if (failed === undefined) return { kind: "available", sandbox };
  const { error, status, signal, stderr } = failed;
  if (error !== undefined) return unavailable(`${sandbox.kind} did not run: ${error.message}`);
  return unavailable(`${sandbox.kind} does not work here: ${stderr.trim() || (signal ?? status)}`);
}

/** The user's home, free of links; null when there is none to hide. */
function findHome(env: SandboxOptions["env"]): string | null {
  try {
    return realpathSync(env["HOME"] || homedir());
  } catch {
    // A user without a home folder has nothing in it.
    return null;
  }
}

/** The sandbox of each platform, and the program that it needs. */
const SANDBOXES: Partial<
  Record<NodeJS.Platform, readonly [program: string, make: (place: SandboxPlace) => Sandbox | null]>
> = {
  linux: ["bubblewrap", createBubblewrap],
  darwin: ["sandbox-exec", createSeatbelt],
};

/** The sandbox, not yet tried out, or the reason why there is none. Starts no process. */
function findSandbox({ workspace, env, platform = process.platform }: SandboxOptions): Sandbox | Unavailable {
  const { root } = workspace;
  const [program, make] = SANDBOXES[platform] ?? [];
  if (make === undefined) return unavailable(`there is no sandbox for ${platform}`);
  if (keepsPrivate(workspace)(root)) return unavailable("the workspace is a folder of claw's own");
  if (root === "/") return unavailable("the workspace is the whole disk");
  const home = findHome(env) ?? NO_HOME;
  if (home !== root && isInside(home, root)) return unavailable("the workspace holds the home folder");
  return make({ workspace, env, home: home === "/" ? NO_HOME : home }) ?? unavailable(`${program} is not installed`);
}

interface Plan {
  readonly sandbox: Sandbox;
  readonly trials: readonly Trial[];
}

/** The sandbox with its trials, or the reason why there is no sandbox. */
function planTrials(options: SandboxOptions): Plan | SandboxState {
  const found = findSandbox(options);
  if (found.kind === "unavailable") return found;
  try {
    return { sandbox: found, trials: trialsOf(found, options) };
  } catch (error) {
    // A link of the workspace cannot be followed.
    if (error instanceof ClawError) return unavailable(error.message);
    throw error;
  }
}

/** Stands for the home folder of a user who has none. */
const NO_HOME = "/home";

const known = new Map<string, SandboxState>();

const OFF = unavailable("the settings turn it off");

const probeKey = ({ workspace: { root, extraFolders }, env, platform }: SandboxOptions): string =>
  JSON.stringify([root, extraFolders, env["PATH"], env["HOME"], platform]);

/**
 * Finds the sandbox and tries it out, once for a workspace in a process. The first time takes some ten milliseconds.
 */
export function probeSandbox(options: SandboxOptions): SandboxState {
  if (options.preference === "off") return OFF;
  const key = probeKey(options);
  const before = known.get(key);
  if (before !== undefined) return before;
  const plan = planTrials(options);
  const state = "trials" in plan ? judgeTrials(plan.sandbox, plan.trials.map(runTrial)) : plan;
  known.set(key, state);
  return state;
}

/** Does the same as `probeSandbox` without blocking, so that a later `probeSandbox` takes no time. Never rejects. */
export async function prepareSandbox(options: SandboxOptions): Promise<void> {
  if (options.preference === "off" || known.has(probeKey(options))) return;
  const plan = planTrials(options);
  const state = "trials" in plan ? judgeTrials(plan.sandbox, await Promise.all(plan.trials.map(startTrial))) : plan;
  known.set(probeKey(options), state);
}
