import { realpathSync } from "node:fs";
import type { VerbOutput } from "claw-contract";
import type { LoadedSettings } from "../../settings/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { SandboxTrial } from "./sandbox-trials.ts";
import { findTrial, storeTrial } from "./sandbox-trials.ts";

export type SandboxReport = VerbOutput<"status">["sandbox"];

const placeOf = ({ cwd, env }: Ports) => ({ workspace: realpathSync(cwd), env });

/** Tries the sandbox and stores the trial. When the settings turn the sandbox off, no trial is made or stored. */
async function tryAnew(ports: Ports, settings: LoadedSettings): Promise<SandboxTrial> {
  const { trySandbox } = await import("./try-sandbox.ts");
  const trial = await trySandbox(ports, settings);
  const mayStore = settings.merged.sandbox !== "off" && ports.isDryRun !== true;
  if (mayStore) storeTrial(placeOf(ports), trial, Date.now());
  return trial;
}

/** Whether commands of the agent would run in the sandbox here, by a trial that may be some minutes old. */
export async function readSandboxState(ports: Ports, settings: LoadedSettings, mode: string): Promise<SandboxReport> {
  const stored = settings.merged.sandbox === "off" ? undefined : findTrial(placeOf(ports), Date.now());
  return reportOf(stored ?? (await tryAnew(ports, settings)), mode);
}

/** Tries the sandbox now and reports whether commands of the agent would run in it. */
export async function tryOutSandbox(ports: Ports, settings: LoadedSettings, mode: string): Promise<SandboxReport> {
  return reportOf(await tryAnew(ports, settings), mode);
}

function reportOf({ kind, reason }: SandboxTrial, mode: string): SandboxReport {
  if (kind === null) return { active: false, kind, reason };
  if (mode !== "danger-full-access") return { active: true, kind, reason };
  return { active: false, kind, reason: "danger-full-access runs commands without it" };
}
