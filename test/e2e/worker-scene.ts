import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { expect, onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, Frame, WireClient } from "./daemon-process.ts";
import { clawsFile, connectWire, isAlive, readLog, startDaemon } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A folder with a daemon, and an orchestrator that is there all the time. */
export interface WorkerScene {
  readonly workspace: Workspace;
  readonly daemon: Daemon;
  readonly client: WireClient;
  /** Peer id of the orchestrator. */
  readonly orchestrator: string;
  /** Starts a fake agent; resolves once it has booted. */
  readonly spawn: (scenario: string | FakeScenarioText, ...flags: string[]) => Promise<SpawnedWorker>;
}

/** A worker, and the state in which `claw spawn` said it to be. */
export type SpawnedWorker = SceneWorker & { readonly state: unknown };

export interface SceneWorker {
  readonly id: string;
  readonly pid: number;
  /** Data of its events of that name, or of the server's events about it, in order. */
  events(topic: string): Frame[];
  until(what: string, fits: (events: readonly Frame[]) => boolean, topic: string): Promise<Frame[]>;
  /** Names of its phases so far. */
  phases(): unknown[];
  command(action: string, data?: Frame): Promise<string>;
  /** Steps that the worker reported of a command. */
  steps(commandId: string): unknown[];
  complete(): Promise<Frame>;
}

export async function openScene(...daemonFlags: string[]): Promise<WorkerScene> {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace, ...daemonFlags);
  const client = await connectWire(daemon.socket);
  const orchestrator = await client.hello("orchestrator", { capabilities: ["receipts"] });
  let files = 0;
  return {
    workspace,
    daemon,
    client,
    orchestrator,
    spawn: async (scenario, ...flags) => {
      const name = typeof scenario === "string" ? scenario : join(workspace.home, `scenario-${(files += 1)}.json`);
      if (typeof scenario !== "string") writeFileSync(name, JSON.stringify(scenario));
      const args = ["spawn", "--harness", "fake", "--scenario", name, ...flags, "do something"];
      const body = await clawJson(workspace, args);
      expect(body.error).toBeUndefined();
      const [id, pid] = [String(body["peer_id"]), Number(body["pid"])];
      onTestFinished(() => {
        if (isAlive(pid) && textOf(`/proc/${pid}/cmdline`)?.includes(id)) process.kill(pid, "SIGKILL");
      });
      return { ...sceneWorker({ workspace, client, orchestrator }, id, pid), state: body["state"] };
    },
  };
}

function envelope(from: string, data: Frame, schema: string): Frame {
  const at = new Date().toISOString();
  return { v: 1, id: randomUUID(), from_peer: from, from_name: "orchestrator", ts_published: at, schema, data };
}

export function sceneWorker(
  { workspace, client, orchestrator }: Pick<WorkerScene, "workspace" | "client" | "orchestrator">,
  id: string,
  pid: number,
): SceneWorker {
  const dataOf = (payload: Frame): Frame => (payload["data"] as Frame | undefined) ?? payload;
  const events = (topic: string): Frame[] =>
    readLog(workspace)
      .filter((event) => event["topic"] === (topic.startsWith("system.") ? topic : `worker.${id}.${topic}`))
      .map((event) => dataOf(event["payload"] as Frame))
      .filter((data) => !topic.startsWith("system.") || data["peerId"] === id);
  const untilEvents: SceneWorker["until"] = (what, fits, topic) =>
    until(what, () => {
      const found = events(topic);
      return fits(found) ? found : undefined;
    }).catch((error: unknown) => {
      const topics = readLog(workspace).map((event) => String(event["topic"]));
      const log = textOf(workerFile(workspace, id, "worker.log")) ?? "no worker.log";
      throw new Error(
        `${String(error)}\n${isAlive(pid) ? "its process runs" : "its process is gone"}\n${log}\n${topics.slice(-30).join("\n")}`,
      );
    });
  return {
    id,
    pid,
    events,
    until: untilEvents,
    phases: () => events("phase").map(({ phase }) => phase),
    command: async (action, data = {}) => {
      const payload = envelope(orchestrator, data, `cmd-${action.replace("_", "-")}-v1`);
      expect(await client.publish(`cmd.${id}.${action}`, payload)).toMatchObject({ ok: true });
      return String(payload["id"]);
    },
    steps: (commandId) =>
      events("command")
        .filter(({ command_id }) => command_id === commandId)
        .map(({ step }) => step),
    complete: async () => {
      const [first] = await untilEvents("its complete", (found) => found.length > 0, "complete");
      return first ?? {};
    },
  };
}

export const workerFile = (workspace: Workspace, id: string, name: string): string =>
  join(clawsFile(workspace, "workers"), id, name);
