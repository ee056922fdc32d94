import { connectObserver, connectOrchestrator, connectWorker } from "@claw/client";
import { unixChannel } from "@claw/client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { until } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const QUESTION = "server.ts:380 — should I rewrite the handler or patch it?";
const OPTIONS = [
  { id: "A", label: "rewrite" },
  { id: "B", label: "patch" },
];
const ARTIFACTS = [{ path: "/tmp/audit.md", type: "markdown" }];
const BOOT = { model: "sonnet-4-6", mission_summary: "audit src/server.ts", cwd: "/repo", terminal_id: "5" };
const PHASES = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"] as const;

/** One line of what an observer sees: the topic, and what tells it from its like. */
type Seen = readonly [topic: string, mark?: unknown];

/** The whole dialogue from the moment the worker comes, as the document tells it, with the phases it leaves out. */
const dialogueOf = (worker: string): Seen[] => [
  ["system.peer.joined", worker],
  [`worker.${worker}.boot`, "audit src/server.ts"],
  [`worker.${worker}.phase`, "PLAN"],
  [`worker.${worker}.phase`, "SPAWN"],
  [`worker.${worker}.phase`, "DEPLOY"],
  [`worker.${worker}.heartbeat`, "DEPLOY"],
  [`worker.${worker}.event`, "REQUEST"],
  [`cmd.${worker}.approve`, "r1"],
  [`worker.${worker}.phase`, "OBSERVE"],
  [`worker.${worker}.event`, "HARVEST"],
  [`worker.${worker}.phase`, "HARVEST"],
  [`worker.${worker}.phase`, "CLEANUP"],
  [`worker.${worker}.phase`, "REFLECT"],
  [`worker.${worker}.complete`, "ok"],
  ["system.peer.left", "clean"],
];

const MARKS = ["mission_summary", "phase", "current_phase", "kind", "result", "reason", "correlation_id", "peerId"];

function seen({ topic, payload }: { topic: string; payload: unknown }): Seen {
  const fields = payload as Frame;
  const data = { ...fields, ...(fields["data"] as Frame | undefined) };
  const mark = MARKS.find((name) => data[name] !== undefined);
  return [topic, mark === undefined ? undefined : data[mark]];
}

async function stored(workspace: Workspace, worker: string): Promise<Seen[]> {
  const { events } = await clawJson(workspace, ["events"]);
  const items = events as { topic: string; from: string; payload: unknown }[];
  return items.filter((item) => concerns(item, worker)).map(seen);
}

/** Everything but the coming and going of those who watch. */
const concerns = ({ topic, payload }: { topic: string; payload: unknown }, worker: string): boolean =>
  !topic.startsWith("system.peer.") || (payload as Frame)["peerId"] === worker;

describe("the dialogue of an audit", () => {
  test("by the SDK is seen whole and in order, and the answer reaches the worker", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const channel = unixChannel(socket);
    const observer = connectObserver({ channel, name: "observer" });
    const orchestrator = connectOrchestrator({ channel, name: "main" });
    onTestFinished(async () => void (await Promise.all([observer.close(), orchestrator.close()])));
    const [, main] = await Promise.all([observer.ready(), orchestrator.ready()]);
    const watched: { topic: string; payload: unknown }[] = [];
    const watching = (async () => {
      for await (const item of observer.subscribe("**", { from: "0000:0" })) {
        if (item.kind !== "event") continue;
        watched.push(item);
        if (item.topic === "system.peer.left") return;
      }
    })();
    const answering = (async () => {
      for await (const item of orchestrator.subscribe("worker.*.event", { from: "0000:0" })) {
        if (item.kind !== "event") continue;
        const { request_id } = item.data as { request_id?: string };
        expect(item.data).toMatchObject({ kind: "REQUEST", message: QUESTION });
        return orchestrator.approve(item.from, request_id ?? "", { chosen: "B" });
      }
      throw new Error("no question came");
    })();

    const worker = connectWorker({ channel, name: "audit-A", parentId: main.peerId, terminalId: "5" });
    onTestFinished(() => worker.close());
    await worker.boot({ ...BOOT, parent_peer_id: main.peerId });
    for (const phase of ["PLAN", "SPAWN", "DEPLOY"] as const) await worker.phase(phase, "next");
    await worker.publish("worker.{self}.heartbeat", {
      current_phase: "DEPLOY",
      time_in_phase_ms: 10,
      tokens_used: 120,
      cost_usd: 0.01,
    });
    const answer = await worker.ask({ message: QUESTION, request_id: "r1", options: OPTIONS });
    expect(answer).toMatchObject({ approved: true, action: "approve", payload: { chosen: "B" } });
    await worker.phase("OBSERVE", "answered");
    await worker.event("HARVEST", "audit done", { data: { artifacts: ARTIFACTS } });
    for (const phase of ["HARVEST", "CLEANUP", "REFLECT"] as const) await worker.phase(phase, "next");
    await worker.complete({ summary: "audited", artifacts: ARTIFACTS });
    const id = worker.peerId() ?? "";
    await worker.close();

    await watching;
    expect((await answering).deliveredTo).toBeGreaterThan(0);
    expect(watched.filter((item) => concerns(item, id)).map(seen)).toEqual(dialogueOf(id));
    expect(await stored(workspace, id)).toEqual(dialogueOf(id));
  });

  test("by hand-written frames is seen whole and in order, and the answer reaches the worker", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const [observer, orchestrator] = [await connectWire(socket), await connectWire(socket)];
    await observer.hello("observer");
    await observer.ask({ cmd: "subscribe", topic: "**" });
    const main = await orchestrator.hello("orchestrator");
    await orchestrator.ask({ cmd: "subscribe", topic: "worker.*.event" });

    const worker = await connectWire(socket);
    const id = await worker.hello("worker", { peerName: "audit-A" });
    const say = createSpeaker(worker, id, main);
    await say("boot", { ...BOOT, role: "worker", parent_peer_id: main });
    await say.phase("PLAN");
    await say.phase("SPAWN");
    await say.phase("DEPLOY");
    await say("heartbeat", { current_phase: "DEPLOY", time_in_phase_ms: 10, tokens_used: 120, cost_usd: 0.01 });
    const request = { kind: "REQUEST", severity: "info", request_id: "r1", message: QUESTION, options: OPTIONS };
    await say("event", { ...request, request_type: "decision" });

    await until("the question", () => orchestrator.messages().length === 1);
    expect(orchestrator.messages()[0]).toMatchObject({ from: id, payload: { from_peer: id, data: request } });
    const command = { correlation_id: "r1", chosen: "B" };
    expect(await orchestrator.publish(`cmd.${id}.approve`, command)).toMatchObject({ ok: true, deliveredTo: 2 });
    const answer = await until("the answer", () => worker.messages()[0]);
    expect(answer).toMatchObject({ topic: `cmd.${id}.approve`, from: main, payload: { data: command } });

    await say.phase("OBSERVE");
    await say("event", { kind: "HARVEST", severity: "info", message: "audit done", artifacts: ARTIFACTS });
    for (const phase of ["HARVEST", "CLEANUP", "REFLECT"] as const) await say.phase(phase);
    await say("complete", { result: "ok", summary: "audited", artifacts: ARTIFACTS, phases_completed: [...PHASES] });
    worker.close();

    const messages = (): { topic: string; payload: unknown }[] =>
      observer.messages().map(({ topic, payload }) => ({ topic: String(topic), payload }));
    await until("its leaving", () => messages().some(({ topic }) => topic === "system.peer.left"));
    expect(
      messages()
        .filter((item) => concerns(item, id))
        .map(seen),
    ).toEqual(dialogueOf(id));
    expect(await stored(workspace, id)).toEqual(dialogueOf(id));
  });

  test("that is broken off is a crash to those who watch", async () => {
    const { socket } = await startDaemon(createWorkspace());
    const [observer, worker] = [await connectWire(socket), await connectWire(socket)];
    await observer.hello("observer");
    await observer.ask({ cmd: "subscribe", topic: "system.peer.left" });
    const id = await worker.hello("worker");
    await createSpeaker(worker, id, null).phase("PLAN");
    worker.close();
    const left = await until("its leaving", () => observer.messages()[0]);
    expect(left["payload"]).toMatchObject({ peerId: id, role: "worker", reason: "crash" });
  });
});

/** Publishes a worker's events in the universal envelope. */
function createSpeaker(worker: WireClient, id: string, parent: string | null) {
  let phases: string[] = [];
  const say = async (topic: string, data: Frame): Promise<void> => {
    const reply = await worker.publish(`worker.${id}.${topic}`, {
      v: 1,
      id: crypto.randomUUID(),
      parent_id: parent,
      from_peer: id,
      from_name: "audit-A",
      ts_published: new Date().toISOString(),
      schema: `worker-${topic}-v1`,
      data,
    });
    expect(reply).toMatchObject({ ok: true });
  };
  const phase = async (to: string): Promise<void> => {
    const prev = phases.at(-1) ?? null;
    phases = [...phases, to];
    await say("phase", { phase: to, prev, transition_reason: "next", phases_completed: phases });
  };
  return Object.assign(say, { phase });
}
