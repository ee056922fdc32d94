import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { isAlive, startDaemon } from "./daemon-process.ts";
import type { Body } from "./run-claw.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A machine of a cluster: a folder, a home and a daemon. */
export interface Machine {
  readonly name: string;
  readonly workspace: Workspace;
  readonly daemon: Daemon;
  /** Starts the daemon again, after it has ended. */
  readonly startAgain: () => Promise<Daemon>;
}

export interface ClusterOptions {
  /** Prepares the folder of a machine before its daemon starts. */
  readonly prepare?: (workspace: Workspace, name: string) => void;
  /** Flags of `up` besides those of the cluster. */
  readonly flags?: readonly string[];
}

type Machines<Names extends readonly string[]> = { readonly [Index in keyof Names]: Machine };

/** A server of NATS for one test. */
export async function startServer(): Promise<NatsServer> {
  const server = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats") });
  onTestFinished(() => server.kill());
  return server;
}

/** A machine on a server, in a new folder. */
export async function startMachine(
  { url }: NatsServer,
  name: string,
  { prepare, flags = [] }: ClusterOptions = {},
): Promise<Machine> {
  const workspace = createWorkspace();
  prepare?.(workspace, name);
  const start = (): Promise<Daemon> =>
    startDaemon(workspace, "--bus", url, "--cluster", "test", "--machine", name, ...flags);
  return { name, workspace, daemon: await start(), startAgain: start };
}

/** A daemon for each machine, on one server of NATS. */
export async function startCluster<const Names extends readonly string[]>(
  names: Names,
  options: ClusterOptions = {},
): Promise<{ readonly machines: Machines<Names>; readonly server: NatsServer }> {
  const server = await startServer();
  const machines: Machine[] = [];
  for (const name of names) machines.push(await startMachine(server, name, options));
  return { machines: machines as never, server };
}

export const startMachines = async <const Names extends readonly string[]>(...names: Names): Promise<Machines<Names>> =>
  (await startCluster(names)).machines;

/** Runs claw in the folder of a machine. */
export const on = ({ workspace }: Machine, ...args: string[]): Promise<Body> => clawJson(workspace, args);

/** The same, for a call that has to succeed. */
export async function done(machine: Machine, ...args: string[]): Promise<Body> {
  const body = await on(machine, ...args);
  expect(body.error).toBeUndefined();
  return body;
}

export const workerOn = async (machine: Machine, name: string): Promise<Frame | undefined> =>
  ((await on(machine, "ps", "--all"))["workers"] as Frame[]).find((worker) => worker["name"] === name);

export const untilState = (machine: Machine, name: string, state: string): Promise<Frame> =>
  until(`${name} to be ${state}`, async () => {
    const worker = await workerOn(machine, name);
    return worker?.["state"] === state ? worker : undefined;
  });

export const eventsOf = async (machine: Machine): Promise<Frame[]> =>
  (await on(machine, "events", "--since", "0000:0", "--limit", "1000"))["events"] as Frame[];

export const topicsOf = async (machine: Machine): Promise<unknown[]> =>
  (await eventsOf(machine)).map(({ topic }) => topic);

/** Ends a worker's process with the test. */
export function endAfterTest({ pid: named }: Frame): void {
  const pid = Number(named);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
}

export async function spawnOn(machine: Machine, name: string, ...flags: string[]): Promise<Frame> {
  const started = await done(machine, "spawn", "--harness", "fake", "--name", name, ...flags, "go");
  endAfterTest(started);
  return started;
}

/** Starts the daemon of a machine again. The lease of its name may have to end before. */
export const returns = (machine: Machine): Promise<unknown> =>
  until(`machine ${machine.name} to be back`, () =>
    machine.startAgain().then(
      () => true,
      () => undefined,
    ),
  );
