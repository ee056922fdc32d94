import { expect, test } from "vitest";
import { join, pushes, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

test("who is transient is told of to who listens, and leaves nothing in the log", async () => {
  const harness = await startBus();
  const watcher = await watch(harness, "system.peer.*");
  const head = harness.log.head();
  const reader = await join(harness, "observer", { capabilities: ["transient"], correlation_id: "c1" });
  reader.client.close();
  await settle();
  expect(told(watcher)).toMatchObject([
    ["system.peer.joined", { peerId: reader.id, role: "observer", peerName: "observer" }],
    ["system.peer.connected", { peer_id: reader.id, correlation_id: "c1" }],
    ["system.peer.left", { peerId: reader.id, role: "observer", reason: "clean" }],
  ]);
  expect(pushes(watcher).filter((frame) => "sequence" in frame || "cursor" in frame)).toEqual([]);
  expect(harness.log.head()).toBe(head);
});

test("workers and members of waves are written down whatever they ask for", async () => {
  const harness = await startBus();
  const head = harness.log.head();
  await join(harness, "worker", { capabilities: ["transient"] });
  expect(harness.log.head()).toBe(head + 1);
  await join(harness, "observer", { capabilities: ["transient"], waveId: "w1", subWorkerRole: "tester" });
  expect(harness.log.head()).toBe(head + 2);
});

test("asking for it in a second hello changes nothing: who joined in the log leaves in the log", async () => {
  const harness = await startBus();
  const peer = await join(harness, "observer");
  await request(peer.client, { cmd: "hello", protocol: "claws/2", capabilities: ["transient"] });
  const head = harness.log.head();
  peer.client.close();
  await settle();
  expect(harness.log.head()).toBe(head + 1);
});

test("the reader of a durable subscription gets none, others are told which subscription it is", async () => {
  const harness = await startBus();
  const { client } = await join(harness, "observer", { capabilities: ["durable", "receipts"] });
  await request(client, { cmd: "subscribe", topic: "system.peer.*", durable: "d" });
  const { subscriptionId } = await request(client, { cmd: "subscribe", topic: "system.peer.joined" });
  await join(harness, "observer", { capabilities: ["transient"] });
  expect(pushes(client)).toMatchObject([{ topic: "system.peer.joined", subscriptionId }]);
});
