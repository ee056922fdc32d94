import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A worker that answers each of its commands with what it is told to. */
async function startWorker(workspace: Workspace, status: string): Promise<string> {
  const { socket } = await startDaemon(workspace);
  const worker = await connectWire(socket);
  const id = await worker.hello("worker", { peerName: "audit" });
  void (async () => {
    const { sequence } = await until("a command", () => worker.messages()[0]);
    await worker.ask({ cmd: "cmd.ack", seq: sequence, status });
  })();
  return id;
}

const steps = (answer: Frame): unknown[] => (answer["steps"] as Frame[]).map(({ step }) => step);

describe("giving a worker a command", () => {
  test("answers with every step and what shows it, by name", async () => {
    const workspace = createWorkspace();
    const id = await startWorker(workspace, "executed");
    const answer = await clawJson(workspace, ["abort", "audit", "--reason", "enough"]);
    expect(answer).toMatchObject({ worker: id, name: "audit", step: "applied", effect: "created" });
    expect(steps(answer)).toEqual(["accepted", "queued", "acked", "applied"]);
  });

  test("fails with how far it came when the worker refuses it", async () => {
    const workspace = createWorkspace();
    await startWorker(workspace, "rejected");
    const answer = await clawJson(workspace, ["pause", "audit"]);
    expect(answer.error?.code).toBe("COMMAND_REFUSED");
    expect(JSON.stringify(answer)).toContain('"step":"refused"');
  });

  test("takes a text from stdin, and waits for nothing when it need not", async () => {
    const workspace = createWorkspace();
    const id = await startWorker(workspace, "executed");
    const sent = await clawJson(workspace, ["send", id, "-", "--wait", "none"], { stdin: "use the other parser" });
    expect(sent).toMatchObject({ worker: id, step: null, steps: [], effect: "created" });
    const { events } = await clawJson(workspace, ["events", "--topic", "cmd.*.inject_text"]);
    expect(events).toMatchObject([{ payload: { data: { text: "use the other parser" } } }]);
  });

  test("to nobody is an error, dry or not", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    for (const argv of [
      ["resume", "nobody"],
      ["resume", "nobody", "--dry-run"],
    ]) {
      expect((await clawJson(workspace, argv)).error?.code).toBe("WORKER_NOT_FOUND");
    }
  });
});
