import { describe, expect, test } from "vitest";
import { mayPublishCompat } from "./compat.ts";

describe("who may publish what with older clients around", () => {
  test.each([
    "worker.7.heartbeat",
    "tool.bash.invoked",
    "system.worker.completed",
    "system.monitor.unarmed",
    "wave.w.x",
  ])("everybody on %s", (topic) => expect(mayPublishCompat({ role: "observer", peerId: "p1" }, topic)).toBe(true));

  test.each([
    "system.peer.left",
    "system.gate.fired",
    "system.budget.warning",
    "system.terminal.closed",
    "vehicle.1.state",
  ])("only the server on %s", (topic) => {
    expect(mayPublishCompat({ role: "orchestrator", peerId: "p1" }, topic)).toBe(false);
    expect(mayPublishCompat({ role: "server", peerId: "server" }, topic)).toBe(true);
  });
});
