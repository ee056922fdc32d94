import { realpathSync } from "node:fs";
import { prepareSandbox, probeSandbox } from "../../agent/index.ts";
import type { LoadedSettings } from "../../settings/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { SandboxTrial } from "./sandbox-trials.ts";

/** Runs two commands in the sandbox to see whether it works here, which takes some ten milliseconds. */
export async function trySandbox({ cwd, env }: Ports, { merged }: LoadedSettings): Promise<SandboxTrial> {
  const preference = merged.sandbox === undefined ? {} : { preference: merged.sandbox };
  const options = { workspace: { root: realpathSync(cwd), extraFolders: [] }, env, ...preference };
  await prepareSandbox(options);
  const state = probeSandbox(options);
  return state.kind === "available" ? { kind: state.sandbox.kind, reason: null } : { kind: null, reason: state.reason };
}
