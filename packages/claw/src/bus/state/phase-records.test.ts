import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { NEW_WORKER } from "../peers/peer.ts";
import { createPhaseRecords } from "./phase-records.ts";

test("the workers whose work is over are known as long as the list of workers, others longer, after a load too", () => {
  const records = createPhaseRecords();
  let sequence = 0;
  const say = (peerId: string, what: string, data: object): void => {
    const payload = { v: 1, id: `e${sequence}`, data };
    const event = { topic: `worker.${peerId}.${what}`, from: peerId, payload, tsServer: "2026-01-01T00:00:00.000Z" };
    records.apply({ ...event, sequence: (sequence += 1), live: true });
  };
  const boot = { model: "m", mission_summary: "s", cwd: "/" };
  say("alive", "boot", boot);
  for (let n = 0; n <= LIMITS.endedWorkers; n += 1) {
    say(`ended-${n}`, "boot", boot);
    say(`ended-${n}`, "complete", { result: "ok", summary: "s" });
  }
  const again = createPhaseRecords();
  again.load(JSON.parse(JSON.stringify(records.save())));
  for (const each of [records, again]) {
    const known = ["alive", "ended-0", "ended-1", `ended-${LIMITS.endedWorkers}`].map(
      (id) => each.of(id) !== NEW_WORKER,
    );
    expect(known).toEqual([true, false, true, true]);
  }
  expect(again.save()).toEqual(records.save());
});
