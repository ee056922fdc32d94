import { expect, test } from "vitest";
import { canTransition, mayPublish, readEvent } from "./index.ts";
import type { Phase, Publisher } from "./index.ts";

const server: Publisher = { role: "server", peerId: "server" };
const orchestrator: Publisher = { role: "orchestrator", peerId: "p1" };
const worker: Publisher = { role: "worker", peerId: "p7" };

const phase = (name: string, prev: string | null) =>
  [worker, "worker.p7.phase", { phase: name, prev, transition_reason: "next", phases_completed: [] }] as const;

/** A worker is spawned to audit a file, asks for guidance, gets it and finishes. */
const dialogue = [
  [server, "system.peer.joined", { peerId: "p7", role: "worker", peerName: "audit-A", ts: "2026-04-27T12:00:00Z" }],
  [
    worker,
    "worker.p7.boot",
    {
      model: "sonnet-4-6",
      mission_summary: "audit src/server.ts",
      parent_peer_id: "p1",
      role: "worker",
      cwd: "/repo",
      terminal_id: "5",
    },
  ],
  phase("PLAN", null),
  phase("SPAWN", "PLAN"),
  phase("DEPLOY", "SPAWN"),
  [worker, "worker.p7.heartbeat", { current_phase: "DEPLOY", tokens_used: 120, time_in_phase_ms: 10, cost_usd: 0 }],
  [
    worker,
    "worker.p7.event",
    {
      kind: "REQUEST",
      severity: "info",
      request_id: "r1",
      message: "server.ts:380 — should I rewrite the handler or patch it?",
      options: [
        { id: "A", label: "rewrite" },
        { id: "B", label: "patch" },
      ],
    },
  ],
  [orchestrator, "cmd.p7.approve", { correlation_id: "r1", chosen: "B" }],
  phase("OBSERVE", "DEPLOY"),
  [
    worker,
    "worker.p7.event",
    { kind: "HARVEST", severity: "info", message: "audit done", artifacts: [{ path: "/tmp/audit.md" }] },
  ],
  phase("HARVEST", "OBSERVE"),
  phase("CLEANUP", "HARVEST"),
  phase("REFLECT", "CLEANUP"),
  [
    worker,
    "worker.p7.complete",
    { result: "ok", summary: "...", artifacts: [{ path: "/tmp/audit.md" }], phases_completed: ["PLAN"] },
  ],
  [server, "system.peer.left", { peerId: "p7", role: "worker", reason: "clean" }],
] as const;

test.each(dialogue)("%j may say what it says on %s", (publisher, topic, data) => {
  expect(mayPublish(publisher, topic)).toBe(true);
  expect(readEvent(topic, data)).toMatchObject({ ok: true, event: { topic, data, envelope: null } });
});

test("the phases of the dialogue follow each other legally", () => {
  const events = dialogue.map(([, topic, data]) => readEvent(topic, data));
  const phases = events.flatMap((result): Phase[] =>
    result.ok && result.event.schema === "worker-phase-v1" ? [result.event.data.phase] : [],
  );
  expect(phases).toEqual(["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"]);
  expect(phases.every((name, index) => canTransition(phases[index - 1] ?? null, name))).toBe(true);
});
