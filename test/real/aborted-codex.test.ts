import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { use } from "../model-server/model-scenario.ts";
import { startClaw } from "./claw.ts";
import { DONE } from "./headless-clis.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { claw, spawnHeadless } from "./real-workers.ts";

const LONG = use(
  "exec_command",
  { cmd: "echo begun > begun; sleep 300", yield_time_ms: 250_000 },
  "Running a command.",
);
const MODEL = ["--harness", "codex", "--model", "gpt-5.5"];

/** Codex guards these in every folder that its commands may write; it makes those that are not there. */
const GUARDED = [".agents", ".aws", ".codex", ".git"];

const guardedIn = ({ cwd, env }: RealScene): string[] =>
  [cwd, String(env["TMPDIR"])].flatMap((folder) => readdirSync(folder)).filter((name) => GUARDED.includes(name));

/** A scene in which the folder for temporary files of the whole machine is not written. */
async function openScene(): Promise<RealScene> {
  const scene = await createRealScene({ turns: [LONG, DONE] });
  const config = join(String(scene.env["CODEX_HOME"]), "config.toml");
  const trusted = `\n[projects."${scene.cwd}"]\ntrust_level = "trusted"\n`;
  const kept = '\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n';
  appendFileSync(config, `\n[sandbox_workspace_write]\nexclude_slash_tmp = true\n${trusted}${kept}`);
  return scene;
}

const untilCommandRuns = async (scene: RealScene): Promise<void> => {
  await until("the command", () => readdirSync(scene.cwd).includes("begun"));
  expect(guardedIn(scene)).toEqual([...GUARDED, ...GUARDED]);
};

test.for([
  ["a headless worker", []],
  ["an interactive worker", ["--interactive"]],
] as const)(
  "codex as %s that is aborted during a command leaves nothing where the command could write",
  async ([, mode]) => {
    const scene = await openScene();
    const worker = await spawnHeadless(scene, ...MODEL, ...mode, "sleep");
    await untilCommandRuns(scene);
    await claw(scene, "abort", worker.id, "--reason", "enough");
    expect(await worker.complete()).toMatchObject({ result: "cancelled" });
    expect(guardedIn(scene)).toEqual([]);
  },
);

test.for(["SIGTERM", "SIGKILL"] as const)("so does codex when `claw run` is ended by %s", async (signal) => {
  const scene = await openScene();
  const { child, answer } = startClaw(scene, ["run", "sleep", ...MODEL]);
  await untilCommandRuns(scene);
  child.kill(signal);
  await answer;
  expect(await until("nothing to be left", () => guardedIn(scene).length === 0)).toBe(true);
});
