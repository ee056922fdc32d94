import { hasLifeEnded, LIMITS, nonEmptyText } from "claw-contract";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import { handlePeers, ok } from "../../../bus/index.ts";
import type { MachineDirectory, MachineReport } from "../../../cluster/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { isSameFolder, placeSpawn } from "./place-spawn.ts";

const MACHINE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export interface MachineOptions {
  readonly registry: WorkerRegistry;
  /** The machines of the cluster; undefined for a daemon without one. */
  readonly directory?: MachineDirectory | undefined;
  readonly version: string;
  /** The folder of the daemon. */
  readonly cwd: string;
}

/** Lists the machines of the cluster, and chooses those that start workers. */
export function createMachines(host: BusHost, { registry, directory, version, cwd }: MachineOptions): BusExtension {
  const startedAt = host.timestamp();
  const isRunning = ({ life, spawned, peerId }: ReturnType<WorkerRegistry["all"]>[number]): boolean =>
    spawned !== null && !hasLifeEnded(life) && host.isHere(peerId);
  const report = (): MachineReport => ({
    version,
    running: registry.all().filter(isRunning).length,
    slots: LIMITS.workersRunning,
    startedAt,
  });
  const all = (): ReturnType<MachineDirectory["all"]> => {
    const known = directory?.all() ?? [];
    // The daemon's current load is newer than the last report.
    return known.map((each) => (each.name === host.machine ? { ...each, ...report(), isUp: true } : each));
  };
  const list = handlePeers("machine.list", (_call, done) => {
    const machines = all().map(({ name, isUp, lastSeen, startedAt: since, ...load }) => ({
      name,
      here: name === host.machine,
      up: isUp,
      ...load,
      last_seen: lastSeen,
      started_at: since,
    }));
    return done(ok({ machines }));
  });
  return {
    name: "machines",
    requests: [list],
    start: () => directory?.begin(report),
    placeSpawn: (request, role) => {
      const { cwd: folder, on, ...rest } = request;
      const isDaemonFolder = typeof folder !== "string" || folder === "" || isSameFolder(folder, cwd);
      const wish = { role, on: nonEmptyText(on), hasOwnFolder: !isDaemonFolder };
      const isName = wish.on === undefined || MACHINE_NAME.test(wish.on);
      // This daemon then says what is wrong with the name.
      const machine = host.machine === undefined || !isName ? undefined : placeSpawn(host.machine, all(), wish);
      if (machine === undefined) return undefined;
      // The folder of this daemon stands for the folder of the other daemon.
      return { machine, request: { ...rest, on: machine, ...(isDaemonFolder ? {} : { cwd: folder }) } };
    },
  };
}
