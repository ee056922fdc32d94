import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { clawsFile, startDaemon } from "./daemon-process.ts";
import { logText, putLog, stopDaemon } from "./migration-scene.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const joining = (url: string): string[] => ["--bus", url, "--cluster", "team", "--machine", "ann"];

async function startNats(config = ""): Promise<NatsServer> {
  const server = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats"), config });
  onTestFinished(() => server.kill());
  return server;
}

/** Moves a log of the folder into a cluster. Resolves with the address of the server. */
async function moveLog(workspace: Workspace): Promise<string> {
  const { url } = await startNats();
  putLog(workspace, 3);
  const { error } = await clawJson(workspace, ["bus", "migrate", "--to", "stream", ...joining(url)]);
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return url;
}

/** Puts a log into the folder, and another one into a cluster. Resolves with the address of the server. */
async function withOtherLog(workspace: Workspace): Promise<string> {
  const { url } = await startNats();
  const other = createWorkspace();
  const daemon = await startDaemon(other, ...joining(url));
  await clawJson(other, ["publish", "note.x", "1"]);
  await stopDaemon(daemon);
  putLog(workspace, 3);
  return url;
}

/** Calls that fail when a daemon joins a cluster. */
export const CLUSTER_PROVOCATIONS = {
  NATS_UNREACHABLE: {
    prepare: async () => {
      const server = await startNats();
      await server.kill();
      return { args: ["up", ...joining(server.url)] };
    },
  },
  NATS_REFUSED: {
    prepare: async () => {
      const { url } = await startNats('authorization { token: "only-this" }\n');
      return { args: ["up", ...joining(url)] };
    },
  },
  NATS_STREAM_UNFIT: {
    prepare: async () => {
      const { url } = await startNats();
      const client = await connect({ servers: url });
      const manager = await jetstreamManager(client);
      await manager.streams.add({ name: "claw_team", subjects: ["claw.team.>"], storage: "memory" });
      await client.close();
      return { args: ["up", ...joining(url)] };
    },
  },
  LOG_NOT_FOUND: {
    prepare: async () => {
      const { url } = await startNats();
      return { args: ["bus", "migrate", "--to", "stream", ...joining(url)] };
    },
  },
  LOG_MOVED: {
    prepare: async (workspace: Workspace) => {
      await moveLog(workspace);
      return { args: ["up"] };
    },
  },
  LOG_NOT_MOVED: {
    prepare: async (workspace: Workspace) => {
      const url = await withOtherLog(workspace);
      return { args: ["up", ...joining(url)] };
    },
  },
  MIGRATION_TARGET_USED: {
    prepare: async (workspace: Workspace) => {
      const url = await withOtherLog(workspace);
      return { args: ["bus", "migrate", "--to", "stream", ...joining(url)] };
    },
  },
  MIGRATION_UNFINISHED: {
    prepare: (workspace: Workspace) => {
      putLog(workspace, 3);
      const mark = { version: 1, state: "arriving", cluster: "team", epoch: 1, aside: "before-1" };
      writeFileSync(clawsFile(workspace, "moved.json"), JSON.stringify(mark));
      return { args: ["up"] };
    },
  },
  MIGRATION_MISMATCH: {
    prepare: async (workspace: Workspace) => {
      const url = await moveLog(workspace);
      const client = await connect({ servers: url });
      const { created } = await (await jetstreamManager(client)).streams.info("claw_team");
      await client.close();
      const log = clawsFile(workspace, "incoming/log");
      mkdirSync(log, { recursive: true, mode: 0o700 });
      writeFileSync(join(log, "../plan.json"), JSON.stringify({ cluster: "team", created }));
      writeFileSync(join(log, "000000000001.jsonl"), logText(workspace).replace('"n":1', '"n":0'));
      return { args: ["bus", "migrate", "--to", "folder", ...joining(url)] };
    },
  },
  CLUSTER_RUNNING: {
    prepare: async (workspace: Workspace) => {
      const url = await moveLog(workspace);
      const flags = ["--bus", url, "--cluster", "team", "--machine", "bob"];
      await startDaemon(createWorkspace(), ...flags);
      return { args: ["bus", "migrate", "--to", "folder", ...joining(url)] };
    },
  },
  MACHINE_NAME_TAKEN: {
    prepare: async () => {
      const { url } = await startNats();
      await startDaemon(createWorkspace(), ...joining(url));
      return { args: ["up", ...joining(url)] };
    },
  },
} as const;
