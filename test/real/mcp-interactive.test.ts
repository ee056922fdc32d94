import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { textOf } from "../e2e/provocations.ts";
import { screenText } from "../e2e/terminal-wire.ts";
import { claudePastFirstStart } from "./first-start.ts";
import { runClient } from "./lead-clients.ts";
import { LEAD_PROMPT, wokenScenario } from "./lead-model.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { startDaemon } from "./real-workers.ts";
import { putRecorder } from "./recorded-server.ts";

/** How long the worker may take; its script takes over two minutes. */
const WORK_MS = 4 * 60_000;

const RIGHT = "\u001b[C";
const DOWN = "\u001b[B";

/** The requests of the lead's model. The worker's model has another prompt. */
const leadRequests = (scene: RealScene) =>
  scene.requests().filter(({ body }) => JSON.stringify((body["messages"] as unknown[])[0]).includes("LEAD-JOB"));

test("Claude Code in a terminal is asked by a form and woken by the result, with no request of its model between", async () => {
  const scene = claudePastFirstStart(await createRealScene(wokenScenario));
  const { client } = await startDaemon(scene);
  const installed = await runClient(scene, [process.execPath, putRecorder(scene), "mcp", "install", "claude"]);
  expect([installed.exitCode, installed.stderr]).toEqual([0, ""]);
  const argv = ["claude", LEAD_PROMPT, "--allowedTools", "mcp__claws"];
  const { id } = await client.ask({ cmd: "create", name: "lead", argv, cwd: scene.cwd, cols: 120, rows: 40 });
  const shows = async (text: string | RegExp): Promise<void> => {
    await expect.poll(() => screenText(client, String(id)), { timeout: WORK_MS, interval: 250 }).toMatch(text);
  };
  await shows("It is on its way.");
  const begun = leadRequests(scene).length;
  await shows(/Accept/);
  expect(leadRequests(scene)).toHaveLength(begun);
  const press = (text: string): void => client.send({ cmd: "send", id: String(id), text, newline: false });
  press(RIGHT);
  await shows(/❯ (?:[○◯●▪•☐]\s*)?approve/i);
  press("\r");
  await shows(/Decision: .*approve/);
  press(DOWN);
  await shows(/❯ Accept/);
  press("\r");
  await until("the note", () => textOf(join(scene.cwd, "out.txt")) === "written by the model\n");
  await shows("The lead was woken.");
  expect(leadRequests(scene)).toHaveLength(begun + 1);
  expect(JSON.stringify(leadRequests(scene).at(-1)?.body)).toContain("task-notification");
});
