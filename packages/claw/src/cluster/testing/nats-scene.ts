import { join } from "node:path";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { ClusterConnection, ConnectionWishes } from "../connection/open-connection.ts";
import { openConnection } from "../connection/open-connection.ts";
import type { StreamLogOptions } from "../stream-log/open-stream-log.ts";
import { openStreamLog } from "../stream-log/open-stream-log.ts";
import type { StreamLog } from "../stream-log/stream-log.ts";
import type { NatsServer } from "./nats-server.ts";
import { startNatsServer } from "./nats-server.ts";

/** A server reserves the bytes of each stream. */
const STREAM_BYTES = 16 * 1024 * 1024;

type OnEnd = (end: () => Promise<void> | void) => void;

/** A server of a test, and the logs on it. All of it ends with the test. */
export interface NatsScene {
  readonly server: () => NatsServer;
  /** Ends the server's process and starts another one with the same files. */
  restartServer(): Promise<void>;
  connect(wishes?: Partial<ConnectionWishes>): Promise<ClusterConnection>;
  /** Opens the log of a machine on a connection of its own. */
  openLog(options?: Partial<StreamLogOptions>): Promise<StreamLog>;
  readonly reports: string[];
  /** The server's files are in `nats` below. */
  readonly folder: string;
}

/** Starts a private server, from the default binary when none is named. `onEnd` is the runner's `onTestFinished`. */
export async function startNatsScene(onEnd: OnEnd, binary?: string): Promise<NatsScene> {
  const folder = temporaryFolder(onEnd);
  const files = { folder: join(folder, "nats") };
  let server = await startNatsServer(binary === undefined ? files : { ...files, binary });
  const connections: ClusterConnection[] = [];
  const logs: StreamLog[] = [];
  const reports: string[] = [];
  let restarting: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    await server.kill();
    server = await server.restart();
  };
  onEnd(async () => {
    // A test may end while its server starts again.
    await restarting;
    try {
      await Promise.all(logs.map((log) => log.close()));
      await Promise.all(connections.map((connection) => connection.close()));
    } finally {
      await server.kill();
    }
  });
  const connect: NatsScene["connect"] = async (wishes = {}) => {
    const connection = await openConnection({ url: server.url, name: "test", ...wishes });
    connections.push(connection);
    return connection;
  };
  return {
    server: () => server,
    reports,
    folder,
    connect,
    restartServer: () => (restarting = restart()),
    openLog: async (options = {}) => {
      const log = await openStreamLog(await connect(), {
        cluster: "test",
        machine: "m1",
        limits: { bytes: STREAM_BYTES },
        report: (text) => void reports.push(text),
        ...options,
      });
      logs.push(log);
      return log;
    },
  };
}
