import { resolve } from "node:path";
import type { FleetFile, FleetFileWorker, HarnessId, RequestFields } from "claw-contract";
import { spawnRequest } from "claw-contract";

/** Where a fleet is started, and the agent of workers for which the file names none. */
interface FleetSurroundings {
  readonly cwd: string;
  readonly harness: HarnessId;
}

/** A file of a scenario is named so that it is found from wherever the agent works; others are built in. */
const scenarioFrom = (cwd: string, scenario: string | undefined): string | undefined =>
  scenario !== undefined && /[./]/.test(scenario) ? resolve(cwd, scenario) : scenario;

/** Makes the request `worker.spawn` for a worker of a fleet. */
export function fleetSpawn(
  { name: fleet, defaults }: FleetFile,
  worker: FleetFileWorker,
  { cwd, harness }: FleetSurroundings,
): RequestFields<"worker.spawn"> {
  const { needs: _needs, ...own } = worker;
  const merged = { ...defaults, ...own, env: { ...defaults.env, ...own.env } };
  const { on_stale: stale, on_hung: hung, on_crash: crash, restarts, cwd: folder, ...rest } = merged;
  return spawnRequest({
    ...rest,
    scenario: scenarioFrom(cwd, rest.scenario),
    fleet,
    harness: merged.harness ?? harness,
    mode: "headless",
    cwd: folder === undefined ? undefined : resolve(cwd, folder),
    trouble: { stale, hung, crash, restarts },
  });
}

/** Whether it counts as done only when its checks have passed. */
export const isChecked = ({ defaults }: FleetFile, { checks }: FleetFileWorker): boolean =>
  (checks ?? defaults.checks ?? []).length > 0;
