import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { createUser } from "@nats-io/nkeys";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { streamDurability } from "../connection/stream-durability.ts";
import { readSyncMode } from "../connection/sync-mode.ts";
import { inboxOf } from "../credentials/machine-permissions.ts";
import { serverConfig } from "../credentials/server-config.ts";
import { startNatsServer } from "../testing/nats-server.ts";
import { collectNatsFacts } from "./collect-nats-facts.ts";

/** Servers since 2.10 say the time and take a sync mode. */
const isNew = (version: string): boolean => Number(version.split(".")[1]) >= 10;

describe.each(findNatsServers().map(({ version, path }) => [version, path] as const))(
  "nats-server %s",
  (version, binary) => {
    const start = async (config: string) => {
      const folder = mkdtempSync(join(temporaryFolder(onTestFinished), "nats-"));
      const server = await startNatsServer({ folder, binary, config: `http: "127.0.0.1:-1"\n${config}` });
      onTestFinished(() => server.kill());
      const ports = join(folder, "ports");
      const text = readFileSync(join(ports, readdirSync(ports)[0] ?? ""), "utf8");
      const { monitoring = [] } = JSON.parse(text) as { monitoring?: string[] };
      return { url: server.url, monitors: monitoring.slice(0, 1) };
    };
    const stream = { name: "claw_team", subjects: ["claw.team.>"], max_bytes: 1_000_000 };

    test("tells of a cluster without permissions, and the probe stores nothing", async () => {
      const { url, monitors } = await start("");
      const connection = await connect({ servers: url });
      onTestFinished(() => connection.close());
      const request = { url, cluster: "team", monitors };
      expect(await collectNatsFacts(connection, request)).toMatchObject({ stream: undefined, actsAsOthers: "unknown" });
      const manager = await jetstreamManager(connection);
      await manager.streams.add(stream);
      const { clockAheadMs, ...facts } = await collectNatsFacts(connection, request);
      expect(facts).toEqual({
        url,
        version,
        jetStream: { bytes: 0, maxBytes: -1 },
        stream: { name: "claw_team", replicas: 1, bytes: 0, maxBytes: 1_000_000 },
        sync: [{ kind: "interval", intervalMs: 120_000 }],
        actsAsOthers: "allowed",
      });
      expect(typeof clockAheadMs).toBe(isNew(version) ? "number" : "undefined");
      expect((await manager.streams.info("claw_team")).state.messages).toBe(0);
    });

    test("tells that the servers hold this machine to its subjects, and of monitoring that does not answer", async () => {
      const pair = createUser();
      const users = [{ machine: "a", publicKey: pair.getPublicKey() }];
      const { url } = await start(serverConfig("team", users));
      const authenticator = nkeyAuthenticator(pair.getSeed());
      const connection = await connect({ servers: url, authenticator, inboxPrefix: inboxOf("team", "a") });
      onTestFinished(() => connection.close());
      await (await jetstreamManager(connection)).streams.add(stream);
      const closed = "http://127.0.0.1:1";
      const facts = await collectNatsFacts(connection, { url, cluster: "team", monitors: [closed] });
      expect(facts).toMatchObject({
        jetStream: { bytes: 0 },
        sync: [{ kind: "unknown", reason: expect.stringContaining(closed) as string }],
        actsAsOthers: "refused",
      });
    });

    test.runIf(isNew(version))("tells of a server that syncs each event", async () => {
      const { url, monitors } = await start("jetstream { sync_interval: always }");
      const connection = await connect({ servers: url });
      onTestFinished(() => connection.close());
      const { sync } = await collectNatsFacts(connection, { url, cluster: "team", monitors });
      expect(sync).toEqual([{ kind: "always" }]);
      const facts = { replicas: 1, version, separateMachines: false };
      expect(await streamDurability({ ...facts, monitoring: monitors[0] })).toBe("strict");
      expect(await streamDurability({ ...facts, monitoring: undefined })).toBe("relaxed");
    });

    test("reports no more than the servers say: a server that syncs later, or does not answer, is relaxed", async () => {
      const { monitors } = await start("");
      const facts = { replicas: 3, version: "2.11.0", separateMachines: false };
      const of = (monitoring: string | undefined) => streamDurability({ ...facts, monitoring });
      expect(await Promise.all([of(monitors[0]), of("http://127.0.0.1:1")])).toEqual(["relaxed", "relaxed"]);
      const apart = { ...facts, separateMachines: true, monitoring: undefined };
      expect(await streamDurability(apart)).toBe("strict");
      expect(await streamDurability({ ...apart, replicas: 2 })).toBe("relaxed");
      expect(await streamDurability({ ...apart, version: "2.10.29" })).toBe("relaxed");
    });
  },
);

test("the sync mode is read from what a server says of its configuration", () => {
  const answers = [
    { config: { sync_always: true } },
    { config: { sync_interval: 10_000_000_000 } },
    { config: {} },
    {},
    undefined,
  ];
  expect(answers.map(readSyncMode)).toEqual([
    { kind: "always" },
    { kind: "interval", intervalMs: 10_000 },
    { kind: "interval", intervalMs: 120_000 },
    { kind: "unknown", reason: "the server runs without JetStream" },
    { kind: "unknown", reason: "the server runs without JetStream" },
  ]);
});
