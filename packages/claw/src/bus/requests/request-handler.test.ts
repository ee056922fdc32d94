import { expect, test } from "vitest";
import type { PeerRequest } from "./request-handler.ts";
import { handlePeers } from "./request-handler.ts";
import { error, ok } from "./request-handler.ts";
import { join, request, startBus } from "../testing/bus-harness.ts";

test("an extension's handler gets the peer and the fields of the contract only, from peers of its roles", async () => {
  const asked: PeerRequest<"terminal.type">[] = [];
  const type = handlePeers("terminal.type", (call, done) => {
    asked.push(call);
    done(ok({ offset: asked.length }));
  });
  const harness = await startBus({ extend: () => [{ name: "typing", requests: [type] }] });
  const { client, id } = await join(harness, "orchestrator");
  const sent = { cmd: "terminal.type", target: "1", more: 2 };
  expect(await request(client, sent)).toMatchObject({ ok: true, offset: 1 });
  const observer = await join(harness, "observer");
  expect(await request(observer.client, sent)).toMatchObject({ ok: false, error: "requires role: orchestrator" });
  const stranger = harness.transport.connect();
  expect(await request(stranger, sent)).toMatchObject({ ok: false, error: "call hello first" });
  const network = harness.connect({
    surface: "network",
    bearer: harness.context.access.tokens.issue({ role: "orchestrator" })?.token ?? "",
  });
  await network.hello({ role: "orchestrator", peerName: "away" });
  await network.ask(sent);
  const told = asked.map(({ peer, request: read, isLocal, ...more }) => [peer.name, read, isLocal(), more]);
  expect(asked[0]?.peer.id).toBe(id);
  expect(told.map(([, ...facts]) => facts)).toEqual([
    [{ target: "1", text: "" }, true, {}],
    [{ target: "1", text: "" }, false, {}],
  ]);
});

test("a request that does not fit is refused with the text and the code of the contract", async () => {
  const spawn = handlePeers("worker.spawn", (_call, done) => done(error("it was read")));
  const budget = handlePeers("budget.set", (_call, done) => done(error("it was read")));
  const harness = await startBus({ extend: () => [{ name: "strict", requests: [spawn, budget] }] });
  const { client } = await join(harness, "orchestrator");
  expect(await request(client, { cmd: "worker.spawn", harness: "fake" })).toMatchObject({
    error: expect.stringContaining("mission") as string,
    code: "INVALID_FLAG_VALUE",
  });
  const refused = await request(client, { cmd: "budget.set", scope: "all" });
  expect(refused).toMatchObject({ ok: false, error: "scope has to be fleet or worker" });
  expect(refused).not.toHaveProperty("code");
});
