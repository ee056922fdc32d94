import { expect, test } from "vitest";
import { judgeNats } from "./judge-nats.ts";
import type { NatsFacts } from "./nats-facts.ts";

const MIB = 1024 * 1024;

const GOOD: NatsFacts = {
  url: "nats://127.0.0.1:4222",
  version: "2.15.1",
  jetStream: { bytes: 10 * MIB, maxBytes: -1 },
  stream: { name: "claw_team", replicas: 3, bytes: 10 * MIB, maxBytes: 1024 * MIB },
  sync: [{ kind: "always" }],
  clockAheadMs: 200,
  actsAsOthers: "refused",
};

const row = (id: string, facts: Partial<NatsFacts>) =>
  judgeNats({ ...GOOD, ...facts }).find((finding) => finding.id === id);

test("a cluster of three servers that sync each event has nothing to mend", () => {
  expect(judgeNats(GOOD).map(({ id, status, fix }) => [id, status, fix])).toEqual(
    ["version", "jetstream", "limits", "replicas", "sync", "clock", "permissions"].map((id) => [
      `nats-${id}`,
      "ok",
      undefined,
    ]),
  );
});

const ALWAYS = { kind: "always" } as const;
const LATE = { kind: "interval", intervalMs: 120_000 } as const;
const UNKNOWN = { kind: "unknown", reason: "http://h:8222 does not answer" } as const;

test.each<[string, Partial<NatsFacts>, string, string]>([
  ["nats-version", { version: "2.8.4" }, "fail", "nats-server 2.8.4"],
  ["nats-version", { version: "2.9.10" }, "warn", "event by event"],
  ["nats-version", { version: "2.10.27" }, "warn", "event by event"],
  ["nats-version", { version: "2.11.0" }, "ok", "nats-server 2.11.0"],
  ["nats-version", { version: "3.0.0" }, "ok", "nats-server 3.0.0"],
  ["nats-jetstream", { jetStream: undefined }, "fail", "JetStream is off"],
  ["nats-limits", { jetStream: { bytes: 95 * MIB, maxBytes: 100 * MIB } }, "warn", "95 MiB of 100 MiB"],
  ["nats-limits", { stream: { name: "s", replicas: 3, bytes: MIB, maxBytes: -1 } }, "warn", "no limit"],
  ["nats-limits", { stream: undefined }, "ok", "no log yet"],
  ["nats-replicas", { stream: { name: "s", replicas: 1, bytes: 0, maxBytes: MIB } }, "warn", "one server alone"],
  ["nats-replicas", { stream: { name: "s", replicas: 2, bytes: 0, maxBytes: MIB } }, "warn", "2 servers"],
  ["nats-replicas", { version: "2.10.27" }, "warn", "2.10.27 may lose events when their leader is killed"],
  ["nats-sync", { sync: [] }, "warn", "no monitoring address is known"],
  ["nats-sync", { sync: [ALWAYS, LATE] }, "warn", "up to 120 s before they are on disk"],
  ["nats-sync", { sync: [ALWAYS, UNKNOWN] }, "warn", "http://h:8222 does not answer"],
  ["nats-clock", { clockAheadMs: 3_600_000 }, "warn", "3600 s ahead"],
  ["nats-clock", { clockAheadMs: -61_000 }, "warn", "61 s behind"],
  ["nats-clock", { clockAheadMs: undefined }, "ok", "unknown"],
  ["nats-permissions", { actsAsOthers: "allowed" }, "warn", "events of other machines"],
  ["nats-permissions", { actsAsOthers: "unknown" }, "ok", "not known"],
])("%s of %j is %s", (id, facts, status, summary) => {
  const found = row(id, facts);
  expect(found).toMatchObject({ status, summary: expect.stringContaining(summary) as string });
  expect(found?.status === "ok" || found?.fix !== undefined).toBe(true);
});
