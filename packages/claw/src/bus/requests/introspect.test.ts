import { schemaNames } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { createMemoryTerminals } from "../terminals/memory-terminals.ts";
import { join, request, startBus } from "../testing/bus-harness.ts";

describe("introspection", () => {
  test("says what the server is and how it does, before hello too", async () => {
    const about = { version: "1.2.3", servers: [{ workspace: "/w", socket: "/w/s" }], durability: "relaxed" as const };
    const harness = await startBus({ about });
    await join(harness, "worker", { terminalId: "5" });
    harness.clock.now += 500;
    expect(await request(harness.transport.connect(), { cmd: "introspect" })).toMatchObject({
      ok: true,
      extensionVersion: "1.2.3",
      nodeVersion: process.version,
      servers: about.servers,
      terminals: 1,
      nodePty: { loaded: false, loadedFrom: null, error: "terminals in memory" },
      uptime_ms: 500,
      protocols: ["claws/1", "claws/2"],
      policy: "strict",
      durability: "relaxed" as const,
      counts: { peers: 1, subscriptions: 2, tasks: 0 },
      log: { epoch: "0001", oldest: 1, head: 1 },
    });
  });

  test("says where terminals come from, as they say it themselves", async () => {
    const loaded = { loaded: true, loadedFrom: "/lib/pty.node" };
    const harness = await startBus({ terminals: { ...createMemoryTerminals(), pty: () => loaded } });
    expect(await request(harness.transport.connect(), { cmd: "introspect" })).toMatchObject({
      nodePty: loaded,
      terminals: 0,
    });
  });

  test("lists schemas and shows each as a tree", async () => {
    const client = (await startBus()).transport.connect();
    expect(await request(client, { cmd: "schema.list" })).toMatchObject({ ok: true, schemas: schemaNames() });
    expect(await request(client, { cmd: "schema.get", name: "cmd-set-phase-v1" })).toMatchObject({
      name: "cmd-set-phase-v1",
      schema: { type: "object", fields: { reason: { type: "string" }, correlation_id: { optional: true } } },
    });
    expect(await request(client, { cmd: "schema.get" })).toMatchObject({ error: "schema.get:missing-name" });
    expect(await request(client, { cmd: "schema.get", name: "x" })).toMatchObject({ error: "schema.get:not-found:x" });
  });
});
