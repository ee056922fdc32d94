import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import { startHttp } from "../../testing/start-http.ts";

const json = (value: unknown): string => JSON.stringify(value);

describe("a posted request", () => {
  test("is answered with the reply of the bus, and its id comes back", async () => {
    const { ask, mint } = await startHttp();
    const headers = mint({ role: "observer" });
    const { status, body } = await ask("/command", { headers, body: json({ cmd: "ping" }) });
    expect([status, body["ok"], "id" in body, "rid" in body]).toEqual([200, true, false, false]);
    expect((await ask("/command", { headers, body: json({ id: 7, cmd: "ping" }) })).body).toMatchObject({
      id: 7,
      rid: 7,
      ok: true,
    });
  });

  test("publishes under the token's identity, the same each time", async () => {
    const { ask, mint, connect } = await startHttp();
    const observer = connect();
    await observer.hello({ role: "observer" });
    await observer.ask({ cmd: "subscribe", topic: "note.**" });
    const headers = mint({ role: "orchestrator", peer: "script" });
    for (const n of [1, 2]) {
      expect(await ask("/publish", { headers, body: json({ topic: "note.x", payload: { n } }) })).toMatchObject({
        status: 200,
        body: { ok: true, deliveredTo: 1, sequence: expect.any(Number), cursor: expect.any(String) },
      });
    }
    const pushes = observer.pushes();
    expect(pushes.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(pushes.map(({ from }) => from)).size).toBe(1);
    expect(await observer.ask({ cmd: "peers" })).toMatchObject({
      peers: expect.arrayContaining([expect.objectContaining({ peerName: "script", role: "orchestrator" })]),
    });
  });

  test("of a worker is held to a worker's topics", async () => {
    const { ask, mint } = await startHttp();
    const headers = mint({ role: "worker" });
    const hello = await ask("/command", { headers, body: json({ cmd: "hello", protocol: "claws/2" }) });
    const topic = `worker.${String(hello.body["peerId"])}.phase`;
    const payload = { phase: "PLAN", prev: null, transition_reason: "test", phases_completed: [] };
    expect(await ask("/publish", { headers, body: json({ topic, payload }) })).toMatchObject({ status: 200 });
    expect(await ask("/publish", { headers, body: json({ topic: "cmd.p_000001.abort", payload: {} }) })).toMatchObject({
      status: 400,
      body: { ok: false },
    });
  });

  test("with a token for one use is answered once", async () => {
    const { ask, mint } = await startHttp();
    const headers = mint({ role: "orchestrator", once: true });
    expect((await ask("/command", { headers, body: json({ cmd: "ping" }) })).status).toBe(200);
    expect(await ask("/command", { headers, body: json({ cmd: "ping" }) })).toMatchObject({
      status: 401,
      body: { error: "auth:invalid", reason: "used" },
    });
  });

  test("that is no object, too large, or asks for a stream is refused", async () => {
    const { ask, mint } = await startHttp();
    const headers = mint({ role: "observer" });
    for (const body of ["", "null", "[]", "{", "[".repeat(10_000)]) {
      expect(await ask("/command", { headers, body })).toMatchObject({ status: 400, body: { error: "bad json" } });
    }
    const large = json({ cmd: "ping", filling: "x".repeat(LIMITS.requestLineBytes) });
    expect((await ask("/command", { headers, body: large })).status).toBe(413);
    expect((await ask("/command", { headers, body: json({ cmd: "subscribe", topic: "x" }) })).status).toBe(400);
  });

  test("that comes too often says when to come again", async () => {
    const { ask, mint } = await startHttp({}, { publishRate: 1 });
    const headers = mint({ role: "orchestrator" });
    const publish = () => ask("/publish", { headers, body: json({ topic: "note.x", payload: 1 }) });
    expect((await publish()).status).toBe(200);
    const refused = await publish();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
  });

  test("leaves no peer behind once the token has been idle", async () => {
    const { ask, mint, bus } = await startHttp({ idleMs: 20 });
    await ask("/command", { headers: mint({ role: "observer" }), body: json({ cmd: "ping" }) });
    expect(await until("the peer to leave", () => bus.host.peers.size === 0)).toBe(true);
  });
});
