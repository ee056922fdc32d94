import { connectObserver, connectOrchestrator, connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectWire, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const texts = Array.from({ length: 900 }, (_, n) => `text ${n}`);

describe("a daemon that is stopped and started again", () => {
  test("in the middle of publishes loses none, stores none twice, and keeps their order", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const writer = connectOrchestrator({ channel: unixChannel(socket), name: "writer" });
    const reader = connectObserver({ channel: unixChannel(socket), name: "reader" });
    onTestFinished(async () => void (await Promise.all([writer.close(), reader.close()])));
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const item of reader.subscribe("cmd.**", { from: "0000:0" })) {
        if (item.kind === "event") seen.push((item.data as { text: string }).text);
        if (seen.length === texts.length) break;
      }
    })();
    const published = [];
    for (const [at, text] of texts.entries()) {
      published.push(writer.publish("cmd.role.worker", { command: "inject_text", text }));
      if (at % 300 !== 150) continue;
      expect(await clawJson(workspace, ["down"])).toMatchObject({ stopped: true });
      await startDaemon(workspace);
    }
    const receipts = await Promise.all(published);
    await following;
    expect(seen).toEqual(texts);
    const stored = readLog(workspace).filter(({ topic }) => topic === "cmd.role.worker");
    expect(stored.map(({ sequence }) => sequence)).toEqual(receipts.map(({ sequence }) => sequence));
  });

  test("says of workers that the server sent them away, and lets them go on where they were", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const boss = await connectWire(socket);
    const worker = connectWorker({ channel: unixChannel(socket), name: "w" });
    onTestFinished(() => worker.close());
    const { peerId } = await worker.ready();
    await boss.hello("orchestrator");
    const task = { cmd: "task.assign", assignee: peerId, title: "t", prompt: "p", deliver: "publish" };
    const { taskId } = await boss.ask(task);
    await clawJson(workspace, ["down"]);
    const left = readLog(workspace).findLast(({ topic, payload }) => isLeaving(topic, payload, peerId));
    expect(left?.["payload"]).toMatchObject({ role: "worker", reason: "timeout" });
    await startDaemon(workspace);
    await worker.request("ping");
    expect(worker.peerId()).toBe(peerId);
    const { tasks } = await clawJson(workspace, ["tasks"]);
    expect(tasks).toMatchObject([{ task_id: taskId, assignee: peerId }]);
  });
});

const isLeaving = (topic: unknown, payload: unknown, peerId: string): boolean =>
  topic === "system.peer.left" && (payload as { peerId?: string }).peerId === peerId;
