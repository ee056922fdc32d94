import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { connect } from "@nats-io/transport-node";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import type { Progress } from "../suite.ts";
import { logEntry } from "./client.ts";
import type { Contender } from "./rounds.ts";
import { endChild } from "./server.ts";
import { SIZES, WINDOW } from "./sizes.ts";
import type { Throughput } from "./throughput.ts";

const POLL_MS = 10;
const SUBJECT = "worker.p_000001.event";

/** The server that `CLAW_NATS_SERVER` names, else the newest one of this machine. */
const findServer = (): string | undefined => process.env["CLAW_NATS_SERVER"] ?? findNatsServers().at(-1)?.path;

interface Ports {
  readonly nats: readonly string[];
}

/** The server writes its addresses into a file once it listens. */
async function addressIn(folder: string, isAlive: () => boolean): Promise<string> {
  for (;;) {
    const name = readdirSync(folder).find((file) => file.endsWith(".ports"));
    const text = name === undefined ? "" : readFileSync(join(folder, name), "utf8");
    if (text !== "") return (JSON.parse(text) as Ports).nats[0] ?? "";
    if (!isAlive()) throw new Error("nats-server ended at once");
    await setTimeout(POLL_MS);
  }
}

/** Publishes a window and waits until the server has taken it, again and again. */
async function pumpCore(connection: NatsConnection): Promise<void> {
  for (let sent = 0; sent < SIZES.events;) {
    for (const end = Math.min(SIZES.events, sent + WINDOW); sent < end; sent += 1) {
      connection.publish(SUBJECT, logEntry("p_000001"));
    }
    await connection.flush();
  }
}

/** Keeps a window of publishes unacknowledged. */
function pumpJetStream(connection: NatsConnection): Promise<void> {
  const stream = jetstream(connection);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let acked = 0;
    const acknowledged = (): void => {
      acked += 1;
      if (acked === SIZES.events) resolve();
      else if (sent < SIZES.events) next();
    };
    const next = (): void => {
      sent += 1;
      stream.publish(SUBJECT, logEntry("p_000001")).then(acknowledged, reject);
    };
    for (let open = 0; open < WINDOW; open += 1) next();
  });
}

/** One publisher and one plain subscriber, which costs either kind the same and the least. */
function contender(
  name: string,
  [publisher, subscriber]: readonly [NatsConnection, NatsConnection],
  pump: (connection: NatsConnection) => Promise<void>,
): Contender<Throughput> {
  const measure = async (): Promise<Throughput> => {
    const subscription = subscriber.subscribe(SUBJECT, { max: SIZES.events, callback: () => undefined });
    await subscriber.flush();
    const startedAt = performance.now();
    await Promise.all([pump(publisher), subscription.closed]);
    const seconds = (performance.now() - startedAt) / 1000;
    return { perSecond: SIZES.events / seconds, cpuMicros: Number.NaN };
  };
  return { name, measure };
}

export interface Nats {
  /** The server as it names itself; empty without one. */
  readonly version: string;
  readonly contenders: readonly Contender<Throughput>[];
  stop(): Promise<void>;
}

const NOBODY: Nats = { version: "", contenders: [], stop: () => Promise.resolve() };

/** Syncs each message before it is acknowledged. */
const SYNCED = "jetstream { sync_interval: always }\n";

/**
 * NATS servers: one for the core, two with a stream on disk, of which one syncs as `strict` does. Nothing when NATS is
 * not installed.
 */
export async function startNats(parent: string, progress: Progress): Promise<Nats> {
  const binary = findServer();
  if (binary === undefined) {
    progress("NATS core and JetStream: skipped: no nats-server on this machine; `npm test` installs one on Debian");
    return NOBODY;
  }
  const core = await startServer(binary, parent, "");
  const stored = await startServer(binary, parent, "");
  const synced = await startServer(binary, parent, SYNCED);
  for (const { connections } of [stored, synced]) {
    const manager = await jetstreamManager(connections[0]);
    await manager.streams.add({ name: "bench", subjects: ["worker.>"], storage: "file" });
  }
  return {
    version: execFileSync(binary, ["--version"], { encoding: "utf8" }).trim(),
    contenders: [
      contender("NATS core", core.connections, pumpCore),
      contender("JetStream", stored.connections, pumpJetStream),
      contender("JetStream, synced", synced.connections, pumpJetStream),
    ],
    stop: async () => {
      await Promise.all([core, stored, synced].map((server) => server.stop()));
    },
  };
}

async function startServer(binary: string, parent: string, configuration: string) {
  const folder = mkdtempSync(join(parent, "nats-"));
  const file = join(folder, "server.conf");
  writeFileSync(file, configuration);
  const address = ["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", folder];
  const args = ["-c", file, ...address, "-js", "-sd", join(folder, "store")];
  const child = spawn(binary, args, { cwd: folder, stdio: "ignore" });
  const kill = (): void => void child.kill("SIGKILL");
  process.on("exit", kill);
  const servers = await addressIn(folder, () => child.exitCode === null);
  const connections = [await connect({ servers }), await connect({ servers })] as const;
  return {
    connections,
    stop: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await endChild(child);
      process.off("exit", kill);
    },
  };
}
