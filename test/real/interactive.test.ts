import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Frame } from "../e2e/daemon-process.ts";
import { textOf, until } from "../e2e/provocations.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { claw, spawnWorker, startDaemon, untilState } from "./real-workers.ts";

/** What Claude Code would ask at its first start is answered, and it logs in by a token, which it does not ask about. */
function pastFirstStart({ cwd, env, ...scene }: RealScene): RealScene {
  const settled = { hasCompletedOnboarding: true, projects: { [cwd]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(String(env["CLAUDE_CONFIG_DIR"]), ".claude.json"), JSON.stringify(settled));
  const asking = { permissions: { defaultMode: "default", disableAutoMode: "disable" } };
  writeFileSync(join(String(env["CLAUDE_CONFIG_DIR"]), "settings.json"), JSON.stringify(asking));
  const { ANTHROPIC_API_KEY: token, ...rest } = env;
  return { ...scene, cwd, env: { ...rest, ANTHROPIC_AUTH_TOKEN: token } };
}

/** The same for Codex: its folder is trusted, and it keeps to its model. */
function codexPastFirstStart(scene: RealScene): RealScene {
  const trusted = `\n[projects."${scene.cwd}"]\ntrust_level = "trusted"\n`;
  const kept = `\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`;
  appendFileSync(join(String(scene.env["CODEX_HOME"]), "config.toml"), trusted + kept);
  return scene;
}

test("Claude Code in a terminal reports its turns, asks by the bus, and takes what is sent to it", async () => {
  const scene = pastFirstStart(await createRealScene("claude-write"));
  const { client } = await startDaemon(scene);
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "claude-code", "write the note");
  expect(await untilState(scene, "needs_input")).toMatchObject({ reason: expect.stringContaining("Write: ") });
  const { approvals } = await client.ask({ cmd: "approval.list" });
  const [approval] = approvals as Frame[];
  expect(approval).toMatchObject({ subject: { tool: "Write" } });
  await client.ask({ cmd: "approval.answer", approvalId: approval?.["approvalId"], decision: "approve" });
  await until("the note", () => textOf(join(scene.cwd, "out.txt")) === "written by the model\n");
  await untilState(scene, "needs_input");
  const sent = await claw(scene, "send", id, "thank you", "--wait", "acked");
  expect(sent).toMatchObject({ steps: expect.arrayContaining([expect.objectContaining({ step: "acked" })]) });
  await claw(scene, "abort", id);
});

test("Codex in a terminal says when its turn is over, and ends when it is told to", async () => {
  const scene = codexPastFirstStart(await createRealScene("text"));
  await startDaemon(scene);
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "codex", "--model", "gpt-5.5", "say hello");
  expect(await untilState(scene, "needs_input")).toMatchObject({ reason: "its prompt waits", source: "hook" });
  await claw(scene, "abort", id);
  await untilState(scene, "failed");
});
