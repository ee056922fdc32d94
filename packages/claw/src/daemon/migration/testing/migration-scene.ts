import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { StreamLog } from "../../../cluster/index.ts";
import { openConnection, openStreamLog } from "../../../cluster/index.ts";
import { nodeFileSystem } from "../../../files/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { ClusterOptions } from "../../process/daemon-options.ts";
import type { MigrationCall } from "../doors.ts";

type OnEnd = (end: () => Promise<void> | void) => void;

/** A folder with a log, and a cluster to move the log into. */
export interface MigrationScene {
  readonly cwd: string;
  readonly cluster: ClusterOptions;
  call(more?: Partial<MigrationCall>): MigrationCall;
  /** Writes the folder's log: the lines, in segments named by their first sequence. */
  putLog(segments: Readonly<Record<number, readonly string[]>>, epoch?: string): void;
  /** The lines of the folder's log. */
  lines(): string[];
  /** The log of the cluster, as a daemon of a machine opens it. */
  openLog(machine?: string): Promise<StreamLog>;
  /** Removes the stream of the cluster. */
  deleteStream(): Promise<void>;
}

export const line = (sequence: number, payload = `{"n":${sequence}}`, more = ""): string =>
  `{"topic":"note.x${more}","from":"p_000001","ts_server":"2026-01-01T00:00:0${sequence % 10}.000Z","payload":${payload},"sequence":${sequence}}`;

export const linesUpTo = (last: number, first = 1): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => line(first + index));

export function startMigrationScene(url: string, cluster: string, onEnd: OnEnd): MigrationScene {
  const cwd = temporaryFolder(onEnd);
  const log = join(cwd, ".claws", "log");
  const segments = (): string[] => readdirSync(log).filter((name) => name.endsWith(".jsonl"));
  const connect = (name: string) => openConnection({ url, name });
  return {
    cwd,
    cluster: {
      address: { url, credentials: undefined, ca: undefined, cert: undefined, key: undefined },
      cluster,
      machine: "ann",
      replicas: undefined,
      separateMachines: false,
      monitoring: undefined,
      leaveLog: false,
    },
    call: (more = {}) => ({
      fs: nodeFileSystem,
      cwd,
      progress: () => undefined,
      signal: new AbortController().signal,
      ...more,
    }),
    putLog: (parts, epoch = "0001") => {
      mkdirSync(log, { recursive: true, mode: 0o700 });
      writeFileSync(join(log, "meta.json"), `{"version":1,"epoch":"${epoch}"}\n`);
      for (const [first, lines] of Object.entries(parts)) {
        const text = lines.map((each) => `${each}\n`).join("");
        writeFileSync(join(log, `${first.padStart(12, "0")}.jsonl`), text);
      }
    },
    lines: () =>
      segments()
        .toSorted()
        .flatMap((name) => readFileSync(join(log, name), "utf8").split("\n"))
        .filter((each) => each !== ""),
    openLog: async (machine = "ann") => {
      const connection = await connect(machine);
      onEnd(() => connection.close());
      const opened = await openStreamLog(connection, { cluster, machine, report: () => undefined });
      onEnd(() => opened.close());
      return opened;
    },
    deleteStream: async () => {
      const connection = await connect("admin");
      await (await jetstreamManager(connection.nats)).streams.delete(`claw_${cluster}`);
      await connection.close();
    },
  };
}
