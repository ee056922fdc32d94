import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { ForegroundDaemon } from "../reliability/foreground-daemon.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import type { OldClient } from "../reliability/old-client.ts";
import { askOnce, connectOld } from "../reliability/old-client.ts";
import type { Frame } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

const CORRELATION = "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11";

async function start(): Promise<string> {
  const daemon = await startForeground(createWorkspace().cwd, { flags: ["--policy=compat"] });
  onTestFinished(() => daemon.kill());
  return daemon.socket;
}

const read = (line: string): Frame => JSON.parse(line) as Frame;
const keys = (line: string): string[] => Object.keys(read(line));
const pushes = ({ lines }: OldClient): string[] => lines.filter((line) => line.startsWith('{"push":"message"'));

/** What a push looks like to a client that names no capability: this, in this order, and nothing else. */
const PUSH = ["push", "protocol", "topic", "from", "payload", "sentAt", "sequence"];

describe("a one-shot client", () => {
  const running: { daemon?: ForegroundDaemon } = {};
  const folder = temporaryFolder(afterAll);
  beforeAll(async () => {
    running.daemon = await startForeground(folder, { flags: ["--policy=compat"] });
  });
  afterAll(() => running.daemon?.kill());
  const socket = (): string => running.daemon?.socket ?? "";

  test.each([
    ['{"id":1,"cmd":"ping"}', ["id", "protocol", "ok", "serverTime", "rid"]],
    ['{"cmd":"ping"}', ["protocol", "ok", "serverTime"]],
    ['{"id":"a","cmd":"lifecycle.snapshot"}', ["id", "protocol", "ok", "state", "rid"]],
    ['{"id":2,"cmd":"task.list"}', ["id", "protocol", "ok", "tasks", "rid"]],
    ['{"id":3,"cmd":"schema.list","protocol":"claws/1"}', ["id", "protocol", "ok", "schemas", "rid"]],
    ['{"id":4,"cmd":"pipeline.list"}', ["id", "protocol", "ok", "pipelines", "rid"]],
  ])("that sends %s gets its answer as the first line", async (bytes, expected) => {
    const answer = await askOnce(socket(), bytes);
    expect([keys(answer), read(answer)["ok"], read(answer)["protocol"]]).toEqual([expected, true, "claws/1"]);
  });

  test.each([
    ["{nonsense", '{"protocol":"claws/1","ok":false,"error":"bad json"}'],
    ['{"id":1,"cmd":"no.such"}', '{"id":1,"protocol":"claws/1","ok":false,"error":"unknown cmd: no.such","rid":1}'],
    ['{"id":1}', '{"id":1,"protocol":"claws/1","ok":false,"error":"unknown cmd: undefined","rid":1}'],
    [
      '{"id":1,"cmd":"ping","protocol":"claws/3"}',
      '{"id":1,"protocol":"claws/1","ok":false,"error":"incompatible protocol version","rid":1}',
    ],
    [
      '{"id":1,"cmd":"hello","role":"worker"}',
      '{"id":1,"protocol":"claws/1","ok":false,"error":"hello requires protocol: claws/2","rid":1}',
    ],
    [
      '{"id":1,"cmd":"publish","topic":"a.b"}',
      '{"id":1,"protocol":"claws/1","ok":false,"error":"call hello first","rid":1}',
    ],
    [
      '{"id":1,"cmd":"wave.status","waveId":"w9"}',
      '{"id":1,"protocol":"claws/1","ok":false,"error":"wave.status:not-found:w9","code":"WAVE_NOT_FOUND","message":"there is no wave w9","hint":"Create the wave first, with claw wave create.","rid":1}',
    ],
  ])("that sends %s is refused in the old words", async (bytes, answer) => {
    expect(await askOnce(socket(), bytes)).toBe(answer);
  });

  test("commands missions and waves without a hello, as the MCP server does", async () => {
    const plan = await askOnce(
      socket(),
      '{"id":1,"cmd":"lifecycle.plan","plan":"x","workerMode":"single","expectedWorkers":1}',
    );
    expect([keys(plan), read(plan)["idempotent"]]).toEqual([
      ["id", "protocol", "ok", "state", "idempotent", "rid"],
      false,
    ]);
    expect(read(plan)["state"]).toMatchObject({ v: 3, phase: "PLAN", workers: [], monitors: [], mission_n: 1 });
    const wave = await askOnce(socket(), '{"id":1,"cmd":"wave.create","waveId":"w1","layers":[],"manifest":["lead"]}');
    expect(keys(wave)).toEqual(["id", "protocol", "ok", "waveId", "createdAt", "rid"]);
    const done = await askOnce(socket(), '{"id":1,"cmd":"wave.complete","waveId":"w1","summary":"s"}');
    expect(read(done)).toMatchObject({ ok: true, waveId: "w1", harvested: 0 });
  });
});

/** Says hello as a client does, and gives the connection and the answer. */
async function greet(socket: string, bytes: string): Promise<{ client: OldClient; hello: Frame }> {
  const client = await connectOld(socket);
  client.write(bytes);
  const hello = read(await client.line(0));
  expect(hello).toMatchObject({ ok: true, protocol: "claws/2" });
  return { client, hello };
}

const MCP_HELLO = '{"cmd":"hello","protocol":"claws/2","role":"orchestrator","peerName":"mcp-orchestrator","id":1}\n';

/** The MCP server's own connection, with what it subscribes to before every tool. */
async function startMcp(socket: string): Promise<OldClient> {
  const { client } = await greet(socket, MCP_HELLO);
  for (const [index, topic] of ["system.worker.terminated", "worker.+.complete", "tool.+.invoked"].entries()) {
    client.write(`{"cmd":"subscribe","topic":"${topic}","id":${index + 2}}\n`);
    expect(keys(await client.line(index + 1))).toEqual([
      "id",
      "protocol",
      "ok",
      "subscriptionId",
      "resumeCursor",
      "rid",
    ]);
  }
  return client;
}

describe("the sidecar", () => {
  test("prints every event from its hello on, each frame as it knows it", async () => {
    const socket = await start();
    const { client, hello } = await greet(
      socket,
      '{"id":1,"cmd":"hello","protocol":"claws/2","role":"observer","peerName":"orchestrator-stream"}\n',
    );
    expect(Object.keys(hello).slice(0, 4)).toEqual(["id", "protocol", "ok", "peerId"]);
    expect(Object.keys(hello)).toEqual(
      expect.arrayContaining(["serverCapabilities", "rootOrchestratorPresent", "restored", "rid"]),
    );
    expect([hello["rid"], hello["restored"], hello["rootOrchestratorPresent"]]).toEqual([1, false, false]);
    client.write('{"id":2,"cmd":"subscribe","topic":"**"}\n');
    expect(read(await client.line(1))).toMatchObject({
      ok: true,
      rid: 2,
      subscriptionId: expect.stringMatching(/^s_/),
    });
    const mcp = await startMcp(socket);
    mcp.write(
      '{"cmd":"publish","protocol":"claws/2","topic":"tool.claws_list.invoked","payload":{"peerId":"p","args_keys":[]},"id":9}\n',
    );
    const tool = await until("the event", () =>
      pushes(client).find((line) => line.includes("tool.claws_list.invoked")),
    );
    expect([keys(tool), read(tool)["payload"]]).toEqual([PUSH, { peerId: "p", args_keys: [] }]);
    expect(pushes(client).map(keys)).toEqual(pushes(client).map(() => PUSH));
  });

  test("in wait mode finds a completion before or after it came, by its correlation", async () => {
    const socket = await start();
    const mcp = await startMcp(socket);
    const completed = `{"terminal_id":"5","status":"completed","duration_ms":1200,"marker_line":null,"correlation_id":"${CORRELATION}","completion_signal":"marker"}`;
    mcp.write(
      `{"cmd":"publish","protocol":"claws/2","topic":"system.worker.completed","payload":${completed},"id":7}\n`,
    );
    expect(keys(await mcp.line(4))).toEqual(["id", "protocol", "ok", "deliveredTo", "rid"]);
    const { client } = await greet(
      socket,
      `{"id":1,"cmd":"hello","protocol":"claws/2","role":"observer","peerName":"wait-mode","monitorCorrelationId":"${CORRELATION}"}\n`,
    );
    client.write('{"id":2,"cmd":"subscribe","topic":"system.worker.completed","fromCursor":"0000:0"}\n');
    client.write('{"id":3,"cmd":"subscribe","topic":"system.terminal.closed","fromCursor":"0000:0"}\n');
    const replayed = await until("the completion", () => pushes(client)[0]);
    expect(keys(replayed)).toEqual([...PUSH, "replayed"]);
    expect(read(replayed)["payload"]).toMatchObject(JSON.parse(completed) as Frame);
    const ends = await until("both ends", () => {
      const found = client.lines.filter((line) => line.startsWith('{"push":"caught-up"'));
      return found.length === 2 && found;
    });
    expect(keys(ends[0] ?? "")).toEqual(["push", "protocol", "subscriptionId", "replayedCount", "resumeCursor"]);
    const other = completed.replace('"5"', '"6"');
    mcp.write(`{"cmd":"publish","protocol":"claws/2","topic":"system.worker.completed","payload":${other},"id":8}\n`);
    const live = await until("the next", () => pushes(client)[1]);
    expect([keys(live), (read(live)["payload"] as Frame)["correlation_id"]]).toEqual([PUSH, CORRELATION]);
  });
});

test("the watcher of monitors, who counts frames, sees two: one for its hello and one for its event", async () => {
  const { client } = await greet(
    await start(),
    '{"id":"k3j","cmd":"hello","protocol":"claws/2","peerName":"monitor-arm-watch","role":"observer"}\n',
  );
  const payload = `{"terminal_id":"5","correlation_id":"${CORRELATION}","grace_ms":10000,"detected_at":"2026-01-01T00:00:00.000Z"}`;
  client.write(
    `{"id":"x9z","cmd":"publish","protocol":"claws/2","topic":"system.monitor.unarmed","payload":${payload}}\n`,
  );
  expect(read(await client.line(1))).toEqual({ id: "x9z", protocol: "claws/1", ok: true, deliveredTo: 0, rid: "x9z" });
  client.write('{"id":"end","cmd":"ping"}\n');
  await client.line(2);
  expect(client.lines.map((line) => read(line)["rid"])).toEqual(["k3j", "x9z", "end"]);
});

const ENVELOPE = (schema: string, data: string): string =>
  `{"v":1,"id":"${crypto.randomUUID()}","from_peer":"env-7","from_name":"sdk-worker","ts_published":"2026-01-01T00:00:00.000Z","schema":"${schema}","data":${data}}`;

/** What the worker SDK's command line publishes, each call on a connection of its own. */
const SDK_CALLS: readonly (readonly [string, string])[] = [
  [
    "boot",
    '{"model":"unknown","role":"worker","parent_peer_id":null,"mission_summary":"audit","capabilities":[],"cwd":"/repo","terminal_id":""}',
  ],
  ["phase", '{"phase":"PLAN","prev":null,"transition_reason":"unspecified","phases_completed":[]}'],
  ["phase", '{"phase":"DEPLOY","prev":"SPAWN","transition_reason":"unspecified","phases_completed":[]}'],
  ["event", '{"kind":"LOG","severity":"info","message":"hello"}'],
  [
    "heartbeat",
    '{"current_phase":"DEPLOY","time_in_phase_ms":0,"tokens_used":0,"cost_usd":0,"last_event_id":null,"active_sub_workers":[]}',
  ],
  [
    "complete",
    '{"result":"ok","summary":"done","artifacts":[],"phases_completed":[],"total_tokens":0,"total_cost_usd":0,"duration_ms":0}',
  ],
];

async function sdkHello(socket: string): Promise<OldClient> {
  const { client } = await greet(
    socket,
    '{"cmd":"hello","protocol":"claws/2","role":"worker","peerName":"sdk-worker","terminalId":"","id":1,"rid":1}\n',
  );
  return client;
}

async function sdkPublish(client: OldClient, type: string, data: string): Promise<Frame> {
  const payload = ENVELOPE(`worker-${type}-v1`, data);
  const before = client.lines.length;
  client.write(
    `{"cmd":"publish","protocol":"claws/2","topic":"worker.env-7.${type}","payload":${payload},"id":2,"rid":2}\n`,
  );
  await until("its answer", () => client.lines.length > before);
  return read(client.lines.findLast((line) => read(line)["rid"] === 2) ?? "{}");
}

describe("the worker SDK", () => {
  test("publishes one event a process under the name of its environment, and others see them", async () => {
    const socket = await start();
    const mcp = await startMcp(socket);
    mcp.write('{"cmd":"subscribe","topic":"worker.**","id":5}\n');
    await mcp.line(4);
    for (const [type, data] of SDK_CALLS) {
      const client = await sdkHello(socket);
      const answer = await sdkPublish(client, type, data);
      expect([type, Object.keys(answer), answer["ok"]]).toEqual([
        type,
        ["id", "protocol", "ok", "deliveredTo", "rid"],
        true,
      ]);
      client.close();
      await client.closed;
    }
    const seen = await until("all of them", () => {
      const found = pushes(mcp).filter((line) => line.includes('"worker.env-7.'));
      return found.length === SDK_CALLS.length + 1 && found;
    });
    const topics = new Set(seen.map((line) => read(line)["topic"]));
    expect(topics).toEqual(new Set(SDK_CALLS.map(([type]) => `worker.env-7.${type}`)));
    expect(seen.map((line) => (read(line)["payload"] as Frame)["data"])).toEqual(
      expect.arrayContaining(SDK_CALLS.map(([, data]) => JSON.parse(data) as Frame)),
    );
  });

  test("publishes from two processes of one worker at the same time", async () => {
    const socket = await start();
    const [first, second] = [await sdkHello(socket), await sdkHello(socket)];
    const event = '{"kind":"LOG","severity":"info","message":"hello"}';
    expect(await sdkPublish(first, "event", event)).toMatchObject({ ok: true });
    expect(await sdkPublish(second, "event", event)).toMatchObject({ ok: true });
  });
});

describe("the MCP server", () => {
  test("is told that a root orchestrator is there, in words it retries on, until that one has left", async () => {
    const socket = await start();
    const mcp = await startMcp(socket);
    const second = await connectOld(socket);
    second.write(MCP_HELLO);
    const refused = read(await second.line(0));
    expect([refused["ok"], /already registered/i.test(String(refused["error"]))]).toEqual([false, true]);
    mcp.close();
    await mcp.closed;
    await expect
      .poll(async () => {
        const before = second.lines.length;
        second.write(MCP_HELLO);
        return read(await second.line(before))["ok"];
      })
      .toBe(true);
  });

  test("speaks for workers without one of their own, and hears of their end through a plus", async () => {
    const socket = await start();
    const mcp = await startMcp(socket);
    const say = async (topic: string, payload: string, id: number): Promise<Frame> => {
      mcp.write(`{"cmd":"publish","protocol":"claws/2","topic":"${topic}","payload":${payload},"id":${id}}\n`);
      return read(await until("its answer", () => mcp.lines.find((line) => read(line)["rid"] === id)));
    };
    const beat = '{"kind":"heartbeat","summary":"working","tokens_used":5,"captured_at":"2026-01-01T00:00:00.000Z"}';
    expect(await say("worker.5.heartbeat", beat, 20)).toMatchObject({ ok: true });
    expect(await say("worker.5.phase", '{"kind":"DEPLOY","step":1}', 21)).toMatchObject({ ok: true });
    const worker = await sdkHello(socket);
    const complete = SDK_CALLS.at(-1)?.[1] ?? "";
    expect(await sdkPublish(worker, "complete", complete)).toMatchObject({ ok: true });
    const heard = await until("the completion", () =>
      pushes(mcp).find((line) => line.includes("worker.env-7.complete")),
    );
    expect([keys(heard), (read(heard)["payload"] as Frame)["data"]]).toEqual([PUSH, JSON.parse(complete) as Frame]);
  });

  test("delivers a command and hears of its acknowledgement, in the old shapes", async () => {
    const socket = await start();
    const mcp = await startMcp(socket);
    const { client: worker, hello } = await greet(
      socket,
      '{"id":1,"cmd":"hello","protocol":"claws/2","role":"worker","peerName":"w","terminalId":"5"}\n',
    );
    const peerId = String(hello["peerId"]);
    mcp.write(`{"cmd":"subscribe","topic":"cmd.${peerId}.ack","id":29}\n`);
    mcp.write(
      `{"cmd":"deliver-cmd","targetPeerId":"${peerId}","cmdTopic":"cmd.${peerId}.pause","payload":{"v":1},"idempotencyKey":"k1","id":30}\n`,
    );
    const delivered = await until("the answer", () => mcp.lines.find((line) => read(line)["rid"] === 30));
    expect(keys(delivered)).toEqual(["id", "protocol", "ok", "seq", "rid"]);
    const command = await until("the command", () => pushes(worker)[0]);
    expect([keys(command), read(command)["payload"]]).toEqual([PUSH, { v: 1 }]);
    expect(read(command)["sequence"]).toBe(read(delivered)["seq"]);
    worker.write(`{"id":2,"cmd":"cmd.ack","seq":${String(read(command)["sequence"])},"status":"executed"}\n`);
    expect(read(await until("its answer", () => worker.lines.find((line) => read(line)["rid"] === 2)))).toEqual({
      id: 2,
      protocol: "claws/1",
      ok: true,
      rid: 2,
    });
    const acknowledged = await until("the acknowledgement", () => pushes(mcp).find((line) => line.includes(".ack")));
    expect(read(acknowledged)).toMatchObject({
      topic: `cmd.${peerId}.ack`,
      payload: { status: "executed", workerPeerId: peerId },
    });
  });
});
