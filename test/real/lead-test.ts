import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../e2e/provocations.ts";
import type { LeadClient } from "./lead-clients.ts";
import { LEAD_CLIENTS, runClient } from "./lead-clients.ts";
import { SAW_DONE, waitingScenario, WORKER_MS } from "./lead-model.ts";
import { createRealScene } from "./real-scene.ts";
import { startDaemon } from "./real-workers.ts";
import { callsOf, putRecorder } from "./recorded-server.ts";

/** Longest call of a tool. */
const LIMIT_MS = 45_000;

/** Tests that a client leads a worker that takes over two minutes. Takes minutes, so the clients have files of their own. */
export function testLead(wanted: LeadClient["client"]): void {
  test(`${wanted} from a command line leads a worker of over two minutes, with no call above 45 seconds`, async () => {
    const found = LEAD_CLIENTS.find(({ client }) => client === wanted);
    const { client, argv, toolName, prepare } = found as LeadClient;
    const scene = prepare(await createRealScene(waitingScenario(toolName)));
    await startDaemon(scene);
    const claw = putRecorder(scene);
    const installed = await runClient(scene, [process.execPath, claw, "mcp", "install", client]);
    expect([installed.exitCode, installed.stderr]).toEqual([0, ""]);
    const { stdout, stderr } = await runClient(scene, argv);
    const isDone = scene.answers().some(({ answer }) => JSON.stringify(answer.blocks).includes(SAW_DONE));
    expect(isDone ? [] : [stdout, stderr]).toEqual([]);
    const calls = callsOf(scene);
    expect(calls.map(({ tool }) => tool)).toEqual(expect.arrayContaining(["claws_run", "claws_wait", "claws_answer"]));
    expect(calls.filter(({ ms }) => ms > LIMIT_MS)).toEqual([]);
    expect(calls.reduce((sum, { ms }) => sum + ms, 0)).toBeGreaterThan(WORKER_MS - LIMIT_MS);
    expect(textOf(join(scene.cwd, "out.txt"))).toBe("written by the model\n");
  });
}
