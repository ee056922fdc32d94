import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { clawsFile, isAlive } from "./daemon-process.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Body } from "./run-claw.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A folder whose log moves into a cluster and back. */
export interface MigrationScene {
  readonly workspace: Workspace;
  readonly server: NatsServer;
  /** Flags of `up` and `bus migrate` for the cluster. */
  readonly joining: readonly string[];
  readonly move: (to: "stream" | "folder", ...more: string[]) => Promise<Body>;
  readonly events: (since?: string) => Promise<Frame[]>;
}

export async function startMigration(binary?: string, config = ""): Promise<MigrationScene> {
  const folder = join(temporaryFolder(onTestFinished), "nats");
  const server = await startNatsServer({ folder, config, ...(binary === undefined ? {} : { binary }) });
  onTestFinished(() => server.kill());
  const workspace = createWorkspace();
  const joining = ["--bus", server.url, "--cluster", "team", "--machine", "ann"];
  return {
    workspace,
    server,
    joining,
    move: (to, ...more) => clawJson(workspace, ["bus", "migrate", "--to", to, ...joining, ...more]),
    events: async (since = "0000:0") => {
      const { events } = await clawJson(workspace, ["events", "--since", since, "--limit", "1000"]);
      return events as Frame[];
    },
  };
}

/** Ends the daemon as `claw down` does. */
export async function stopDaemon({ pid }: Pick<Daemon, "pid">): Promise<void> {
  process.kill(pid, "SIGTERM");
  await until(`daemon ${pid} to end`, () => !isAlive(pid));
}

const lineAt = (sequence: number): string =>
  `{"topic":"note.n${sequence % 7}","from":"p_000001","ts_server":"2026-01-01T00:00:00.000Z","payload":{"n":${sequence}},"sequence":${sequence}}\n`;

/** Puts a log into a folder that has none. */
export function putLog({ cwd }: Workspace, events: number): string {
  const folder = join(cwd, ".claws", "log");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const text = Array.from({ length: events }, (_, index) => lineAt(index + 1)).join("");
  writeFileSync(join(folder, "000000000001.jsonl"), text);
  return text;
}

/** The text of the first segment of the folder's log. */
export const logText = (workspace: Workspace): string =>
  readFileSync(join(clawsFile(workspace, "log"), "000000000001.jsonl"), "utf8");

export function expectMoved(body: Body, more: Frame = {}): void {
  expect(body.error).toBeUndefined();
  expect(body).toMatchObject({ cursors: "continue", ...more });
}
