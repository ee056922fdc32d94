import { realpathSync } from "node:fs";
import type { VerbOutput } from "@claw/contract";
import { prepareSandbox, probeSandbox } from "../../agent/index.ts";
import type { LoadedSettings } from "../../settings/index.ts";
import type { Ports } from "../runtime/handle.ts";

/** Whether commands of the agent would run in the sandbox here. It is tried out, which takes some ten milliseconds. */
export async function readSandboxState(
  { cwd, env }: Ports,
  { merged }: LoadedSettings,
  mode: string,
): Promise<VerbOutput<"status">["sandbox"]> {
  const preference = merged.sandbox === undefined ? {} : { preference: merged.sandbox };
  const options = { workspace: { root: realpathSync(cwd), extraFolders: [] }, env, ...preference };
  await prepareSandbox(options);
  const state = probeSandbox(options);
  if (state.kind === "unavailable") return { active: false, kind: null, reason: state.reason };
  if (mode !== "danger-full-access") return { active: true, kind: state.sandbox.kind, reason: null };
  return { active: false, kind: state.sandbox.kind, reason: "danger-full-access runs commands without it" };
}
