import { expect, test } from "vitest";
import { ok } from "./commands/command.ts";
import type { PeerRequest } from "./peer-handler.ts";
import { handlePeers } from "./peer-handler.ts";
import { join, request, startBus } from "./testing/bus-harness.ts";

test("an extension's handler gets the peer and the request only, from peers of its roles", async () => {
  const asked: PeerRequest[] = [];
  const count = handlePeers(["orchestrator"], (call, done) => {
    asked.push(call);
    done(ok({ count: asked.length }));
  });
  const harness = await startBus({ extend: () => [{ name: "counting", requests: { "count.up": count } }] });
  const { client, id } = await join(harness, "orchestrator");
  expect(await request(client, { cmd: "count.up", by: 2 })).toMatchObject({ ok: true, count: 1 });
  const observer = await join(harness, "observer");
  expect(await request(observer.client, { cmd: "count.up" })).toMatchObject({
    ok: false,
    error: "requires role: orchestrator",
  });
  const stranger = harness.transport.connect();
  expect(await request(stranger, { cmd: "count.up" })).toMatchObject({ ok: false, error: "call hello first" });
  expect(asked.map(({ peer, request: sent, ...more }) => [peer.id, sent["by"], more])).toEqual([[id, 2, {}]]);
});
