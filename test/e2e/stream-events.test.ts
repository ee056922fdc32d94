import { describe, expect, test } from "vitest";
import type { Frame, LiveCall, WireClient } from "./daemon-process.ts";
import { beginClaw, connectWire, startDaemon } from "./daemon-process.ts";
import { refused } from "./provocations.ts";
import { clawJson, responseJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const linesOf = ({ lines }: LiveCall): Frame[] => lines.map((line) => JSON.parse(line) as Frame);
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

async function begin() {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace);
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator");
  return { workspace, daemon, client };
}

/** The sidecar, once it listens. */
async function stream(workspace: Workspace, env: NodeJS.ProcessEnv, ...flags: string[]): Promise<LiveCall> {
  const call = beginClaw(workspace, ["stream-events", ...flags], env);
  await call.line("the subscription", (line) => line.includes("sidecar.subscribed"));
  return call;
}

const rolesOf = async (client: WireClient): Promise<unknown[]> =>
  ((await client.ask({ cmd: "peers" }))["peers"] as Frame[]).map(({ role, peerName }) => [role, peerName]);

describe("stream-events", () => {
  test("prints the sidecar's lines and nothing else, until the bus is gone", async () => {
    const { workspace, daemon, client } = await begin();
    const call = await stream(workspace, {});
    await client.publish("note.x", { n: 1 });
    await call.line("the event", (line) => line.includes("note.x"));
    await clawJson(workspace, ["down"]);
    const { exitCode, stderr } = await call.ended;
    const lines = linesOf(call).filter(({ topic }) => topic === undefined || !String(topic).startsWith("system."));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(lines).toEqual([
      { type: "sidecar.connected", socket: daemon.socket, role: "observer", ts: ISO },
      { type: "sidecar.hello.ack", peerId: expect.stringMatching(/^p_[0-9a-f]{6}$/), ts: ISO },
      { type: "sidecar.subscribed", topic: "**", subscriptionId: expect.stringMatching(/^s_/), ok: true, ts: ISO },
      {
        type: "event",
        push: "message",
        protocol: "claws/2",
        topic: "note.x",
        from: expect.stringMatching(/^p_/),
        payload: { n: 1 },
        sentAt: expect.any(Number),
        sequence: expect.any(Number),
        recvTs: ISO,
      },
      { type: "sidecar.closed", ts: ISO },
    ]);
  });

  test("takes socket, topic, role and name from the environment", async () => {
    const { daemon, client } = await begin();
    const elsewhere = createWorkspace();
    const env = {
      CLAWS_SOCKET: daemon.socket,
      CLAWS_TOPIC: "note.*",
      CLAWS_ROLE: "orchestrator",
      CLAWS_PEER_NAME: "monitor",
    };
    const call = await stream(elsewhere, env, "--output-format", "stream-json");
    expect(await rolesOf(client)).toContainEqual(["orchestrator", "monitor"]);
    await client.publish("other.x", {});
    await client.publish("note.x", {});
    await call.line("the note", (line) => line.includes("note.x"));
    expect(linesOf(call).map(({ type, topic }) => [type, topic])).toEqual([
      ["sidecar.connected", undefined],
      ["sidecar.hello.ack", undefined],
      ["sidecar.subscribed", "note.*"],
      ["event", "note.x"],
    ]);
    const byDefault = await stream(elsewhere, { CLAWS_SOCKET: daemon.socket });
    expect(await rolesOf(client)).toContainEqual(["observer", "orchestrator-stream"]);
    expect(byDefault.lines).toHaveLength(3);
  });

  test("says why it cannot begin, on a line of its own", async () => {
    const workspace = createWorkspace();
    const env = { CLAWS_SOCKET: "/nowhere/claws.sock" };
    const { exitCode, stdout, stderr } = await runClaw(workspace, ["stream-events"], { env });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ type: "sidecar.error", error: "the bus does not answer" });
    expect(stderr).toContain("error[bus_unreachable]");
    const wrong: readonly NodeJS.ProcessEnv[] = [{ CLAWS_ROLE: "boss" }, { CLAWS_TOPIC: "a..b" }];
    for (const each of wrong) {
      const answer = await responseJson(workspace, ["stream-events", "--wait", "c-1"], { env: { ...env, ...each } });
      expect(answer.error?.code).toBe("CLAWS_ROLE" in each ? "BUS_UNREACHABLE" : "INVALID_FLAG_VALUE");
      const { stderr: refusal } = await runClaw(workspace, ["stream-events"], { env: { ...env, ...each } });
      expect(refusal).toContain(Object.values(each)[0]);
    }
  });

  test("as one object without an end to wait for is refused with a hint", async () => {
    const { workspace } = await begin();
    expect(await refused(workspace, ["stream-events"])).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      hint: "Use --output-format stream-json, or --wait CORRELATION_ID.",
    });
  });
});

/** A daemon of older clients, under which a sidecar may be told of a worker's end by anybody. */
async function beginCompat() {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace, "--policy", "compat");
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator", { capabilities: ["receipts"] });
  const end = (correlation_id: string) => client.publish("system.worker.completed", { correlation_id, marker: "done" });
  return { workspace, client, end };
}

describe("stream-events --wait", () => {
  test("prints the end of the worker, also one that came before, however short the time", async () => {
    const { workspace, end } = await beginCompat();
    await end("c-0");
    await end("c-1");
    const args = ["stream-events", "--wait", "c-1", "--timeout-ms", "0"];
    const payload = expect.objectContaining({ correlation_id: "c-1" });
    const { stdout, exitCode } = await runClaw(workspace, args);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { topic: "system.worker.completed", payload }]);
    expect(await clawJson(workspace, args)).toMatchObject({
      matched: true,
      lines: [{ topic: "system.worker.completed", payload }],
      lines_count: 1,
    });
  });

  test("joins as the monitor of that worker, and ends with TIMEOUT when nothing comes", async () => {
    const { workspace, client } = await beginCompat();
    await client.ask({ cmd: "subscribe", topic: "system.peer.joined" });
    const { exitCode, stderr } = await runClaw(workspace, ["stream-events", "--wait", "c-9", "--timeout-ms", "50"], {
      env: { CLAWS_DEBUG: "1" },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Waiting for the end of c-9");
    expect(stderr).toContain('"type":"sidecar.debug"');
    expect(stderr).toContain("error[timeout]: the worker of c-9 did not end within 50 ms");
    expect(client.messages().at(-1)).toMatchObject({ payload: { role: "observer", peerName: "wait-mode" } });
  });

  test("goes on beyond its time while the terminal shows signs of life", async () => {
    const { workspace, client, end } = await beginCompat();
    await client.publish("note.x", { terminal_id: "5" });
    const flags = ["--timeout-ms", "1", "--keep-alive-on", "5", "--rearm-cycle", "1"];
    const call = beginClaw(workspace, ["stream-events", "--wait", "c-1", ...flags, "--stale-threshold", "600000"]);
    while (!JSON.stringify(await rolesOf(client)).includes("wait-mode")) expect(call.lines).toEqual([]);
    await end("c-1");
    expect((await call.ended).exitCode).toBe(0);
    const dead = ["stream-events", "--wait", "c-2", ...flags, "--stale-threshold", "0"];
    expect(await clawJson(workspace, dead)).toMatchObject({ exit_code: 2, error: { code: "TIMEOUT" } });
  });
});
