import { describe, expect, test } from "vitest";
import type { BusHost } from "../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus } from "../../bus/testing/bus-harness.ts";
import { createWorkerRegistry } from "../worker-registry/worker-registry.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import { terminalRequests } from "./terminal-requests.ts";

async function begin(mode: "interactive" | "headless"): Promise<{ harness: BusHarness; worker: Joined }> {
  const extend = (host: BusHost) => {
    const registry = createWorkerRegistry();
    return [{ name: "workers", memory: registry.memory, requests: terminalRequests(host, registry) }];
  };
  const harness = await startBus({ extend, policy: "compat" });
  const worker = await join(harness, "worker");
  const payload = spawnedEvent(worker.id, { mode });
  harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
  await settle();
  return { harness, worker };
}

const ask = ({ client }: Joined, cmd: string, more: Frame = {}): Promise<Frame> => request(client, { cmd, ...more });

describe("the terminal of a worker", () => {
  test("is opened once, whatever the mission, and is its own whatever it says", async () => {
    const { harness, worker } = await begin("interactive");
    expect(await ask(worker, "worker.terminal")).toMatchObject({ ok: true, terminalId: null });
    const opened = await ask(worker, "worker.terminal.open", { name: "w", workerId: "p_999999", argv: ["cat"] });
    expect(opened).toMatchObject({ ok: true, id: "1" });
    expect(harness.terminals.find("1")).toMatchObject({ workerId: worker.id });
    expect(await ask(worker, "worker.terminal.open")).toMatchObject({ ok: false, code: "PERMISSION_DENIED" });
    harness.terminals.print("1", "hello");
    const seen = { ok: true, terminalId: "1", total: 5, text: "hello" };
    expect(await ask(worker, "worker.terminal", { screen: true })).toMatchObject(seen);
  });

  test("is closed by it, and can still be looked at", async () => {
    const { harness, worker } = await begin("interactive");
    expect(await ask(worker, "worker.terminal.close")).toMatchObject({ ok: true, alreadyClosed: true });
    await ask(worker, "worker.terminal.open");
    harness.terminals.print("1", "last words");
    expect(await ask(worker, "worker.terminal.close")).toMatchObject({ terminalId: "1", alreadyClosed: false });
    expect(await ask(worker, "worker.terminal", { terminalId: "1", screen: true })).toMatchObject({
      terminalId: null,
      text: "last words",
    });
    expect(await ask(worker, "worker.terminal", { terminalId: "8" })).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  });

  test("is the only one of a life, also once it was closed; the next life has one again", async () => {
    const { harness, worker } = await begin("interactive");
    await ask(worker, "worker.terminal.open");
    await ask(worker, "worker.terminal.close");
    const again = { argv: ["sh", "-c", "id"] };
    expect(await ask(worker, "worker.terminal.open", again)).toMatchObject({ ok: false, code: "PERMISSION_DENIED" });
    const payload = spawnedEvent(worker.id, { mode: "interactive", bootId: "boot-2", attempt: 2 });
    harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
    await settle();
    expect(await ask(worker, "worker.terminal.open")).toMatchObject({ ok: true, id: "2" });
  });

  test("of others cannot be looked at", async () => {
    const { harness, worker } = await begin("interactive");
    await ask(worker, "worker.terminal.open");
    harness.terminals.print("1", "secret");
    const other = await join(harness, "worker");
    const seen = await ask(other, "worker.terminal", { terminalId: "1", screen: true });
    expect(seen).toEqual(expect.objectContaining({ ok: false, code: "TERMINAL_NOT_FOUND" }));
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  test("is for those that were started to have one", async () => {
    const { harness, worker } = await begin("headless");
    expect(await ask(worker, "worker.terminal.open")).toMatchObject({ error: "requires role: orchestrator" });
    const stranger = await join(harness, "worker");
    expect(await ask(stranger, "worker.terminal.open")).toMatchObject({ ok: false });
    const observer = await join(harness, "observer");
    expect(await ask(observer, "worker.terminal.open")).toMatchObject({ ok: false });
    expect(harness.terminals.open()).toEqual([]);
  });
});
