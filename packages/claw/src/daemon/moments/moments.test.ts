import { expect, test } from "vitest";
import { join, request, settle } from "../../bus/testing/bus-harness.ts";
import { startSupervisedBus } from "../testing/supervised-bus.ts";
import { createMemoryMomentStore } from "./testing/memory-moment-store.ts";

test("a state of many workers is kept less often: after twice as many events as it has workers", async () => {
  const store = createMemoryMomentStore();
  const harness = await startSupervisedBus({ moments: { store, spacing: 5, keepMs: 0 } });
  for (let n = 0; n < 20; n += 1) await join(harness, "worker", { peerName: `w${n}` });
  const boss = await join(harness, "orchestrator");
  const before = harness.bus.host.knownThrough();
  for (let n = 0; n < 200; n += 1) {
    await request(boss.client, { cmd: "publish", topic: "note.count", payload: { n } });
    harness.bus.checkDue();
    await settle();
  }
  const kept = store.sequences().filter((sequence) => sequence > before);
  const gaps = kept.slice(1).map((sequence, index) => sequence - (kept[index] ?? 0));
  expect(gaps.length).toBeGreaterThan(1);
  expect(gaps).toEqual(gaps.map(() => 40));
});
