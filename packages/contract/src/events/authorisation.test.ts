import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayPublish, PUBLISH_FORBIDDEN, PUBLISH_RULES, publishersOf } from "./authorisation.ts";
import type { Publisher } from "./authorisation.ts";

const belongings = {
  taskIds: ["t_001", "t_002"],
  terminalId: "5",
  waveId: "w1",
  waveRole: "tester",
  openCalls: [
    { callerId: "p_000009", requestId: "call-1" },
    { callerId: "p_000008", requestId: "call-2" },
  ],
};
const peers = {
  worker: { role: "worker", peerId: "p_000001", ...belongings },
  bareWorker: { role: "worker", peerId: "p_000001" },
  orchestrator: { role: "orchestrator", peerId: "p_000001" },
  observer: { role: "observer", peerId: "p_000001", ...belongings },
  server: { role: "server", peerId: "server" },
} as const satisfies Record<string, Publisher>;

type PeerName = keyof typeof peers;

/** Topic, then everybody who may publish on it. */
const expectations: readonly (readonly [string, readonly PeerName[]])[] = [
  ["worker.p_000001.boot", ["worker", "bareWorker", "orchestrator"]],
  ["worker.p_000001.custom.deeper", ["worker", "bareWorker", "orchestrator"]],
  ["worker.p_000001", []],
  ["worker", []],
  ["worker.p_000002.boot", []],
  ["worker.p_0000011.boot", []],
  ["worker.P_000001.boot", []],
  ["task.t_001.progress", ["worker", "orchestrator", "server"]],
  ["task.t_002.progress", ["worker", "orchestrator", "server"]],
  ["task.t_003.progress", ["orchestrator", "server"]],
  ["task.t_001", ["orchestrator", "server"]],
  ["task.status", ["orchestrator", "server"]],
  ["task.assigned.p_000001", ["orchestrator", "server"]],
  ["output.5.line", ["worker", "orchestrator"]],
  ["output.6.line", ["orchestrator"]],
  ["wave.w1.tester.boot", ["worker", "orchestrator", "server"]],
  ["wave.w1.tester", ["orchestrator", "server"]],
  ["wave.w1.lead.boot", ["orchestrator", "server"]],
  ["wave.w2.tester.boot", ["orchestrator", "server"]],
  ["rpc.response.p_000009.call-1", ["worker", "orchestrator"]],
  ["rpc.response.p_000008.call-2", ["worker", "orchestrator"]],
  ["rpc.response.p_000009.call-2", ["orchestrator"]],
  ["rpc.response.p_000009.call-3", ["orchestrator"]],
  ["rpc.p_000001.request", ["orchestrator", "server"]],
  ["cmd.p_000001.approve", ["orchestrator", "server"]],
  ["cmd.role.worker", ["orchestrator", "server"]],
  ["cmd.p_000001.ack", ["orchestrator", "server"]],
  ["system", []],
  ["system.peer.joined", ["server"]],
  ["system.heartbeat", ["server"]],
  ["system.terminal.5.alive", ["server"]],
  ["system.worker.state", ["server"]],
  ["vehicle.5.state", ["orchestrator", "server"]],
  ["command.5.start", ["orchestrator", "server"]],
  ["pipeline.pipe_0001.created", ["orchestrator", "server"]],
  ["lifecycle.phase-changed", ["orchestrator", "server"]],
  ["tool.bash.invoked", ["orchestrator"]],
  ["custom.topic", ["orchestrator"]],
  ["worker.*.boot", []],
  ["**", []],
  ["", []],
  ["system..x", []],
];

const pairs = expectations.flatMap(([topic, allowed]) =>
  (Object.keys(peers) as PeerName[]).map((peer) => [peer, topic, allowed.includes(peer)] as const),
);

describe("who may publish what", () => {
  test.each(pairs)("%s on %s: %s", (peer, topic, expected) => {
    expect(mayPublish(peers[peer], topic)).toBe(expected);
  });

  test("the rules name everybody but observers", () => {
    expect(new Set(PUBLISH_RULES.map(({ role }) => role))).toEqual(new Set(["worker", "orchestrator", "server"]));
  });

  test("a wildcard as an id gives nobody another's topics", () => {
    const hostile = ["*", "**", "+", "5.x", "", "{terminalId}", "__proto__"];
    const allowed = hostile.flatMap((id) => {
      const peer: Publisher = { role: "worker", peerId: id, taskIds: [id], terminalId: id, waveId: id, waveRole: id };
      return expectations.filter(([topic]) => mayPublish(peer, topic));
    });
    expect(allowed).toEqual([]);
  });

  test("owning nothing is not owning what has no name", () => {
    expect(mayPublish({ role: "worker", peerId: "p1" }, "output.undefined.line")).toBe(false);
    expect(mayPublish({ role: "worker", peerId: "p1" }, "wave.undefined.undefined.boot")).toBe(false);
  });

  test("whatever the topic, an observer publishes nothing and only the server speaks for the system", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,6}(\.[a-z0-9_]{1,6}){0,4}$/), (tail) => {
        expect(mayPublish(peers.observer, tail)).toBe(false);
        expect(mayPublish(peers.worker, `system.${tail}`)).toBe(false);
        expect(mayPublish(peers.orchestrator, `system.${tail}`)).toBe(false);
        expect(mayPublish(peers.server, `worker.${tail}`)).toBe(false);
      }),
    );
  });

  test("the rules behind an address are those that can decide", () => {
    const rolesAt = (address: string) => publishersOf(address).map(({ role, topics }) => `${role} ${topics}`);
    expect(rolesAt("worker.{peerId}.boot")).toEqual([
      "worker worker.{peerId}.*.**",
      "orchestrator worker.{peerId}.*.**",
    ]);
    expect(rolesAt("system.peer.joined")).toEqual(["server system.*.**"]);
    expect(rolesAt("task.assigned.{peerId}")).toEqual(["orchestrator **", "server task.*.**"]);
  });

  test("the refusal has the words that clients look for", () => {
    expect(PUBLISH_FORBIDDEN).toBe("publish forbidden — not your topic");
  });
});
