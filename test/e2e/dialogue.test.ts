import { fileURLToPath } from "node:url";
import { connectObserver, connectOrchestrator, connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startMachines } from "./cluster-scene.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { endHostAfterTest, printed } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const AUDIT_WORKER = fileURLToPath(new URL("audit-worker.mjs", import.meta.url));
const QUESTION = "server.ts:380 — should I rewrite the handler or patch it?";
const OPTIONS = [
  { id: "A", label: "rewrite" },
  { id: "B", label: "patch" },
];
const ARTIFACTS = [{ path: "/tmp/audit.md", type: "markdown" }];
const BOOT = { model: "sonnet-4-6", mission_summary: "audit src/server.ts", cwd: "/repo", terminal_id: "5" };
const PHASES = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"] as const;

interface Line {
  readonly topic: string;
  readonly payload: unknown;
}

/** A line of the document: the topic, who it is from, and what it says. */
type Told = readonly [topic: string, from: string, data: Frame];

/** The whole dialogue from the moment the worker comes, as the document tells it, with the fields and phases it leaves out. */
const dialogueOf = (worker: string, main: string): Told[] => [
  ["system.peer.joined", "server", { peerId: worker, role: "worker", peerName: "audit-A" }],
  [
    `worker.${worker}.boot`,
    worker,
    { model: "sonnet-4-6", mission_summary: "audit src/server.ts", parent_peer_id: main },
  ],
  [`worker.${worker}.phase`, worker, { phase: "PLAN", prev: null }],
  [`worker.${worker}.phase`, worker, { phase: "SPAWN", prev: "PLAN" }],
  [`worker.${worker}.phase`, worker, { phase: "DEPLOY", prev: "SPAWN" }],
  [`worker.${worker}.heartbeat`, worker, { current_phase: "DEPLOY", tokens_used: 120 }],
  [`worker.${worker}.event`, worker, { kind: "REQUEST", request_id: "r1", message: QUESTION, options: OPTIONS }],
  [`cmd.${worker}.approve`, main, { correlation_id: "r1" }],
  [`worker.${worker}.phase`, worker, { phase: "OBSERVE", prev: "DEPLOY" }],
  [`worker.${worker}.event`, worker, { kind: "HARVEST", message: "audit done", artifacts: ARTIFACTS }],
  [`worker.${worker}.phase`, worker, { phase: "HARVEST", prev: "OBSERVE" }],
  [`worker.${worker}.phase`, worker, { phase: "CLEANUP", prev: "HARVEST" }],
  [`worker.${worker}.phase`, worker, { phase: "REFLECT", prev: "CLEANUP" }],
  [`worker.${worker}.complete`, worker, { result: "ok", summary: "audited", artifacts: ARTIFACTS }],
  ["system.peer.left", "server", { peerId: worker, role: "worker", reason: "clean" }],
];

/** What a line says: its data in an envelope, or itself. What belongs to one kind may stand in it or beside it. */
function tell({ topic, payload }: Line): Told {
  const fields = payload as Frame;
  const { data: special, ...data } = (fields["data"] ?? fields) as Frame;
  return [topic, String(fields["from_peer"] ?? "server"), { ...data, ...(special as Frame | undefined) }];
}

async function stored(workspace: Workspace, worker: string): Promise<Told[]> {
  const { events } = await clawJson(workspace, ["events"]);
  return (events as Line[]).filter((item) => concerns(item, worker)).map(tell);
}

/** What the server makes of what is said: receipts, states, approvals; and what becomes of terminals. */
const DERIVED = /^system\.(?:command|worker|approval|typing|terminal)\.|^vehicle\./;

/** Everything but the coming and going of those who watch, what is derived, and what is said past the document. */
const concerns = ({ topic, payload }: Line, worker: string): boolean =>
  !DERIVED.test(topic) &&
  topic !== "system.broadcast" &&
  (!topic.startsWith("system.peer.") || (payload as Frame)["peerId"] === worker);

/** Each line as the document has it: more fields may stand in it, none may be missing or differ. */
function expectDialogue(told: readonly Told[], worker: string, main: string): void {
  const document = dialogueOf(worker, main);
  expect(told.map(([topic, from]) => [topic, from])).toEqual(document.map(([topic, from]) => [topic, from]));
  expect(told.map(([, , data]) => data)).toMatchObject(document.map(([, , data]) => data));
}

/** Where worker, orchestrator and observer are connected, and a folder whose daemon knows all. */
interface Place {
  readonly workspace: Workspace;
  readonly sockets: { readonly worker: string; readonly main: string; readonly observer: string };
}

async function onOneDaemon(): Promise<Place> {
  const workspace = createWorkspace();
  const { socket } = await startDaemon(workspace);
  return { workspace, sockets: { worker: socket, main: socket, observer: socket } };
}

async function onThreeMachines(): Promise<Place> {
  const [one, two, three] = await startMachines("one", "two", "three");
  const sockets = { worker: one.daemon.socket, main: two.daemon.socket, observer: three.daemon.socket };
  return { workspace: three.workspace, sockets };
}

const PLACES = [
  ["on one daemon", onOneDaemon],
  ["on the daemons of three machines", onThreeMachines],
] as const;

describe("the dialogue of an audit", () => {
  test.each(PLACES)(
    "by the SDK, %s, is seen whole and in order, and the answer reaches the worker",
    async (_, start) => {
      const { workspace, sockets } = await start();
      const observer = connectObserver({ channel: unixChannel(sockets.observer), name: "observer" });
      const orchestrator = connectOrchestrator({ channel: unixChannel(sockets.main), name: "main" });
      onTestFinished(async () => void (await Promise.all([observer.close(), orchestrator.close()])));
      const [, main] = await Promise.all([observer.ready(), orchestrator.ready()]);
      const watched: Line[] = [];
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

      const channel = unixChannel(sockets.worker);
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
      const told = watched.filter((item) => concerns(item, id)).map(tell);
      expectDialogue(told, id, main.peerId);
      expect(told[7]?.[2]).toEqual({ correlation_id: "r1", payload: { chosen: "B" } });
      expectDialogue(await stored(workspace, id), id, main.peerId);
    },
  );

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

    const text = '[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}';
    const typed = await orchestrator.ask({ cmd: "broadcast", text, peerId: id, inject: true });
    expect(typed).toMatchObject({ ok: true, deliveredTo: 1 });
    const line = await until("the typed line", () => worker.messages()[1]);
    expect(line).toMatchObject({ topic: "system.broadcast", from: main, payload: { text } });

    await say.phase("OBSERVE");
    await say("event", { kind: "HARVEST", severity: "info", message: "audit done", artifacts: ARTIFACTS });
    for (const phase of ["HARVEST", "CLEANUP", "REFLECT"] as const) await say.phase(phase);
    await say("complete", { result: "ok", summary: "audited", artifacts: ARTIFACTS, phases_completed: [...PHASES] });
    worker.close();

    const messages = (): Line[] => observer.messages().map(({ topic, payload }) => ({ topic: String(topic), payload }));
    await until("its leaving", () => messages().some(({ topic }) => topic === "system.peer.left"));
    const told = messages()
      .filter((item) => concerns(item, id))
      .map(tell);
    expectDialogue(told, id, main);
    expect(told[7]?.[2]).toEqual(command);
    expectDialogue(await stored(workspace, id), id, main);
    // The call that reads the log joins without a place in it.
    const logged = observer.messages().filter(({ sequence }) => sequence !== undefined);
    const sequences = logged.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
  });

  test("with a worker in a terminal is seen whole, and the answer is typed to it and climbs the ladder", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    endHostAfterTest(workspace);
    const main = await connectWire(socket);
    const mainId = await main.hello("orchestrator");
    await main.ask({ cmd: "subscribe", topic: "worker.*.event" });
    const argv = [process.execPath, AUDIT_WORKER, mainId];
    expect(await main.ask({ cmd: "create", name: "audit-A", argv })).toMatchObject({ ok: true, id: "1" });

    const asked = await until("the question", () => main.messages()[0]);
    const id = String(asked["from"]);
    expect(asked).toMatchObject({ payload: { data: { kind: "REQUEST", request_id: "r1", message: QUESTION } } });
    await main.publish(`cmd.${id}.approve`, { correlation_id: "r1", chosen: "B" });
    const ofTopic = (topic: string): Frame[] => readLog(workspace).filter((event) => event["topic"] === topic);
    await until("its terminal to close", () => ofTopic("system.terminal.closed").length > 0);
    await until("its leaving", () => ofTopic("system.peer.left").length > 0);

    const told = await stored(workspace, id);
    expectDialogue(told, id, mainId);
    const typed = '[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}';
    expect(told[9]?.[2]).toMatchObject({ kind: "HARVEST", typed });
    await printed(main, "1", typed);
    const steps = readLog(workspace).map(({ topic }) => /^system\.command\.(\w+)$/.exec(String(topic))?.[1]);
    // What the worker says may come before anybody has looked at its screen.
    expect(steps.filter((step) => step !== undefined && step !== "submitted")).toEqual([
      "accepted",
      "queued",
      "injected",
      "acked",
      "applied",
    ]);
    expect(ofTopic("system.command.injected")).toMatchObject([
      { payload: { route: "terminal", targetPeerId: id, evidence: { kind: "pty_offset" } } },
    ]);
    expect(ofTopic("system.terminal.closed")).toMatchObject([{ payload: { terminal_id: "1", exit_code: 0 } }]);
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
