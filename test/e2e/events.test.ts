import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { beginClaw, connectWire } from "./daemon-process.ts";
import type { Item } from "./event-scene.ts";
import { begin, eventsOf, follow, itemsOf, numbersOf } from "./event-scene.ts";
import { playDaemon } from "./fake-daemon.ts";
import { refused } from "./provocations.ts";
import { clawJson, responseJson, runClaw } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

describe("events --follow", () => {
  test("prints each event once, as it comes, and says how it ended when interrupted", async () => {
    const scene = await begin();
    const call = await follow(scene, "--output-format", "stream-json");
    for (const n of [1, 2, 3]) {
      await scene.note(n);
      await call.line(`note ${n}`, (line) => line.includes(`"n":${n}`));
    }
    process.kill(call.pid, "SIGINT");
    const { exitCode, stderr } = await call.ended;
    const items = itemsOf(call);
    const result = items.pop();
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(numbersOf(items).filter((n) => n !== 0)).toEqual([1, 2, 3]);
    expect(items.every((item) => item["type"] === "event")).toBe(true);
    expect(result).toMatchObject({
      type: "result",
      subtype: "error",
      is_error: true,
      exit_code: 1,
      events: [],
      events_count: items.length,
      resume_cursor: items.at(-1)?.["cursor"],
      error: { code: "CANCELLED", signal: "SIGINT" },
    });
  });

  test("shows the coming and going of who only reads, which is told and not stored", async () => {
    const scene = await begin();
    const call = await follow(scene, "--topic", "system.peer.*", "--output-format", "stream-json");
    const reader = await connectWire(scene.daemon.socket);
    const id = await reader.hello("observer", { capabilities: ["transient"], peerName: "reader" });
    await call.line("its coming", (line) => line.includes("system.peer.joined") && line.includes(id));
    reader.close();
    await call.line("its going", (line) => line.includes("system.peer.left") && line.includes(id));
    const told = itemsOf(call).filter(({ topic }) => String(topic).startsWith("system.peer."));
    expect(told).toMatchObject([
      { type: "notice", topic: "system.peer.joined", from: "server", payload: { peerId: id, peerName: "reader" } },
      { type: "notice", topic: "system.peer.left", payload: { peerId: id, reason: "clean" } },
    ]);
    expect(told.some((item) => "sequence" in item || "cursor" in item)).toBe(false);
    const stored = await clawJson(scene.workspace, ["events", "--topic", "system.peer.*"]);
    expect(JSON.stringify(eventsOf(stored))).not.toContain(id);
    process.kill(call.pid, "SIGINT");
    await call.ended;
  });

  test.each([
    ["SIGINT", 130, ["--output-format", "stream-json", "--envelope", "response"]],
    ["SIGTERM", 143, ["--output-format", "stream-json", "--envelope", "response"]],
    ["SIGINT", 130, []],
  ] as const)("ended by %s exits with %i in the envelope that says so: %s", async (signal, exit, flags) => {
    const scene = await begin();
    const call = await follow(scene, ...flags);
    process.kill(call.pid, signal);
    expect((await call.ended).exitCode).toBe(exit);
  });

  test("goes on from the cursor it ended with, without a gap or a repetition", async () => {
    const scene = await begin();
    const first = await follow(scene, "--output-format", "stream-json");
    await scene.note(1, 2);
    await first.line("note 2", (line) => line.includes(`"n":2`));
    process.kill(first.pid, "SIGTERM");
    await first.ended;
    const cursor = String(itemsOf(first).at(-1)?.["resume_cursor"]);
    await scene.note(3, 4);
    const second = await follow(scene, "--output-format", "stream-json", "--since", cursor);
    await second.line("note 4", (line) => line.includes(`"n":4`));
    expect(numbersOf(itemsOf(second)).filter((n) => n !== 0)).toEqual([3, 4]);
  });

  test("ends in silence, exit 0, when its reader has gone", async () => {
    const scene = await begin();
    const call = await follow(scene, "--output-format", "stream-json");
    await scene.note(1);
    await call.line("note 1", (line) => line.includes(`"n":1`));
    call.hangUp();
    await scene.note(2);
    const { exitCode, stderr, signal } = await call.ended;
    expect({ exitCode, stderr, signal }).toEqual({ exitCode: 0, stderr: "", signal: null });
  });

  test("ends by itself with a --limit, as one object too", async () => {
    const scene = await begin();
    const call = await follow(scene, "--limit", "2", "--output-format", "json");
    await scene.note(1, 2, 3);
    const { exitCode, stdout } = await call.ended;
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { events_count: 2, events: [{}, {}] }]);
  });

  test("ends with TIMEOUT and what was read when its time is over", async () => {
    const { workspace, note } = await begin();
    await note(1);
    const args = ["events", "--follow", "--since", "0000:0", "--topic", "note.*", "--limit", "9", "--timeout-seconds"];
    const bodies = [await clawJson(workspace, [...args, "1"])];
    // On a busy machine a second may be over before anything is read.
    for (let seconds = 2; bodies.at(-1)?.["events_count"] !== 1 && seconds <= 32; seconds *= 2) {
      bodies.push(await clawJson(workspace, [...args, String(seconds)]));
    }
    const over = { exit_code: 2, error: { code: "TIMEOUT" } };
    expect(bodies).toMatchObject(bodies.map(() => over));
    expect(bodies.at(-1)).toMatchObject({ events_count: 1, events: [{ payload: { n: 1 } }] });
  });

  test("as one object without a limit is refused with a hint", async () => {
    const { workspace } = await begin();
    expect(await refused(workspace, ["events", "--follow"])).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      hint: "Use --output-format stream-json, or a --limit.",
    });
  });

  test("says that the bus is gone when the daemon stops", async () => {
    const scene = await begin();
    const call = await follow(scene, "--output-format", "stream-json");
    await clawJson(scene.workspace, ["down"]);
    const { exitCode } = await call.ended;
    expect(exitCode).toBe(1);
    expect(itemsOf(call).at(-1)).toMatchObject({ type: "result", error: { code: "BUS_UNREACHABLE" } });
  });
});

describe("events", () => {
  test("reads everything stored, in order, and what comes after a cursor", async () => {
    const { workspace, note } = await begin();
    const cursors = await note(1, 2, 3, 4);
    const read = async (...flags: string[]) => clawJson(workspace, ["events", "--topic", "note.*", ...flags]);
    const all = await read();
    expect(numbersOf(eventsOf(all))).toEqual([1, 2, 3, 4]);
    expect(eventsOf(all).map(({ cursor }) => cursor)).toEqual(cursors);
    expect(all).toMatchObject({ events_count: 4 });
    expect(numbersOf(eventsOf(await read("--since", cursors[1] ?? "")))).toEqual([3, 4]);
    expect(await read("--since", cursors[3] ?? "")).toMatchObject({ events: [] });
    await note(5);
    expect(numbersOf(eventsOf(await read("--since", String(all["resume_cursor"]))))).toEqual([5]);
    const page = await read("--limit", "2");
    expect(numbersOf(eventsOf(page))).toEqual([1, 2]);
    expect(numbersOf(eventsOf(await read("--since", String(page["resume_cursor"]))))).toEqual([3, 4, 5]);
  });

  test("reads from a time or a duration on", async () => {
    const { workspace } = await begin();
    for (const n of [1, 2, 3]) await clawJson(workspace, ["publish", "note.x", `{"n":${n}}`]);
    const read = async (since: string) =>
      eventsOf(await clawJson(workspace, ["events", "--topic", "note.*", "--since", since]));
    const all = await read("10m");
    const times = all.map(({ payload }) => String((payload as Record<string, unknown>)["ts_published"]));
    expect(all).toHaveLength(3);
    expect((await read(times[1] ?? "")).map(({ sequence }) => sequence)).toEqual(
      all.slice(1).map(({ sequence }) => sequence),
    );
    expect(await read("2099-01-01")).toEqual([]);
    expect(await read("3d")).toEqual(all);
  });

  test.each(["yesterday", "1", "0001", "10 m", "0001:x", "", "2026-13-45"])(
    "refuses to begin at '%s'",
    async (since) => {
      const workspace = createWorkspace();
      for (const verb of ["events", "wait"]) {
        expect(await refused(workspace, [verb, "--since", since])).toMatchObject({ code: "INVALID_CURSOR" });
      }
    },
  );

  test("refuses a pattern that no topic fits, before anything else", async () => {
    const workspace = createWorkspace();
    for (const verb of ["events", "wait"]) {
      expect(await refused(workspace, [verb, "--topic", "a..b"])).toMatchObject({
        code: "INVALID_FLAG_VALUE",
        target: "--topic",
      });
    }
  });

  test("as CloudEvents have the attributes of 1.0, with ids that tell them apart", async () => {
    const { workspace } = await begin();
    await clawJson(workspace, ["publish", "cmd.p_000001.abort", '{"reason":"done"}']);
    await clawJson(workspace, ["publish", "note.x", "[1]"]);
    const body = await clawJson(workspace, ["events", "--format", "cloudevents"]);
    const events = eventsOf(body);
    for (const event of events) {
      expect(event).toMatchObject({ specversion: "1.0", datacontenttype: "application/json" });
      for (const name of ["id", "source", "type"]) expect(event[name]).toMatch(/^\S+$/);
      expect(() => new URL(String(event["source"]))).not.toThrow();
      for (const name of Object.keys(event)) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
      expect(event["time"] ?? "1970-01-01T00:00:00Z").toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    }
    expect(new Set(events.map(({ source, id }) => `${String(source)} ${String(id)}`)).size).toBe(events.length);
    expect(events.find(({ type }) => type === "cmd.p_000001.abort")).toMatchObject({ data: { reason: "done" } });
    expect(events.find(({ type }) => type === "note.x")).toMatchObject({ data: [1] });
  });
});

describe("wait", () => {
  test("ends with the first event that has everything asked for", async () => {
    const { workspace, note, client } = await begin();
    await note(1, 2);
    const call = beginClaw(workspace, [
      "wait",
      "--topic",
      "note.*",
      "--filter",
      "n=7",
      "--filter",
      "ok=true",
      "--output-format",
      "json",
    ]);
    const heard = async (): Promise<boolean> => Number((await client.publish("note.x", { n: 7 }))["deliveredTo"]) > 0;
    while (!(await heard())) expect(call.lines).toEqual([]);
    await client.publish("note.x", { n: 7, ok: true, late: 1 });
    await client.publish("note.x", { n: 7, ok: true, late: 2 });
    const { exitCode, stdout } = await call.ended;
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { found: true, topic: "note.x", payload: { late: 1 } }]);
  });

  test("finds what happened already when it is told from where to look", async () => {
    const { workspace, note } = await begin();
    const cursors = await note(1, 2, 3);
    const wait = (...flags: string[]) => clawJson(workspace, ["wait", "--topic", "note.*", ...flags]);
    expect(await wait("--since", "0000:0", "--filter", "n=2")).toMatchObject({ cursor: cursors[1], payload: { n: 2 } });
    expect(await wait("--since", cursors[0] ?? "")).toMatchObject({ payload: { n: 2 } });
    expect(await wait("--since", "5m")).toMatchObject({ payload: { n: 1 } });
  });

  test("ends at its deadline as TIMEOUT, not with its own arrival", async () => {
    const { workspace, note } = await begin();
    await note(1);
    const args = ["wait", "--timeout-seconds", "0.5"];
    expect(await clawJson(workspace, args)).toMatchObject({
      exit_code: 2,
      error: { code: "TIMEOUT", timeout_ms: 500 },
    });
    expect(await responseJson(workspace, args)).toMatchObject({ exitCode: 10, error: { code: "TIMEOUT" } });
    expect(await runClaw(workspace, args)).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("refuses a filter that is none", async () => {
    const { workspace } = await begin();
    expect(await refused(workspace, ["wait", "--filter", "result"])).toMatchObject({ code: "INVALID_FLAG_VALUE" });
  });
});

const UNFIT: readonly (readonly [code: string, args: readonly string[]])[] = [
  ["INVALID_FLAG_VALUE", ["note.x", "{bad"]],
  ["INVALID_FLAG_VALUE", ["note.x", ""]],
  ["MISSING_ARGUMENT", []],
  ["PUBLISH_FORBIDDEN", ["system.peer.left", '{"peerId":"p_000001","role":"worker","reason":"clean"}']],
  ["PUBLISH_FORBIDDEN", ["worker.p_000001.event", '{"kind":"LOG","severity":"info","message":"not me"}']],
  ["PUBLISH_INVALID", ["cmd.p_000001.abort", "{}"]],
  ["PUBLISH_INVALID", ["cmd.p_000001.set_phase", '{"phase":"LUNCH","reason":"noon"}']],
  ["PUBLISH_INVALID", ["a..b", "{}"]],
];

describe("publish", () => {
  test("of bad JSON, on a topic of others or with a payload that does not fit stores nothing", async () => {
    const { workspace } = await begin();
    const codes = await Promise.all(
      UNFIT.map(async ([, args]) => (await refused(workspace, ["publish", ...args])).code),
    );
    expect(codes).toEqual(UNFIT.map(([code]) => code));
    const tried = await Promise.all(
      UNFIT.map(async ([, args]) => (await refused(workspace, ["publish", ...args, "--dry-run"])).code),
    );
    expect(tried).toEqual(codes);
    const { events } = await clawJson(workspace, ["events"]);
    expect((events as Item[]).filter(({ from }) => from !== "server")).toEqual([]);
  });

  test("says where the event stands and to how many it went", async () => {
    const { workspace, client } = await begin();
    await client.ask({ cmd: "subscribe", topic: "note.**" });
    const answer = await clawJson(workspace, ["publish", "note.x", '{"n":1}']);
    expect(answer).toMatchObject({ topic: "note.x", delivered_to: 1, effect: "created" });
    await until("the event", () => client.messages().length === 1);
    expect(client.messages()[0]).toMatchObject({ sequence: answer["sequence"], cursor: answer["cursor"] });
  });
});

test.each([["peers"], ["tasks"], ["publish", "note.x", "1"], ["events"], ["wait"]])(
  "a daemon that does not answer keeps no call beyond its time: %s",
  async (...argv) => {
    const workspace = createWorkspace();
    await playDaemon(workspace, () => undefined);
    expect(await clawJson(workspace, [...argv, "--timeout-seconds", "0.4"])).toMatchObject({
      exit_code: 2,
      error: { code: "TIMEOUT" },
    });
  },
);
