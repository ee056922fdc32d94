import { resolve } from "node:path";
import type { FleetFile, FleetFileWorker, HarnessId } from "@claw/contract";

type Fields = Readonly<Record<string, unknown>>;

const named = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Where a fleet is started, and the agent of workers for which the file names none. */
interface FleetSurroundings {
  readonly cwd: string;
  readonly harness: HarnessId;
}

/** A file of a scenario is named so that it is found from wherever the agent works; others are built in. */
const scenarioFrom = (cwd: string, scenario: string | undefined): string | undefined =>
  scenario !== undefined && /[./]/.test(scenario) ? resolve(cwd, scenario) : scenario;

/** What the wire is asked for to start a worker of a fleet. */
export function spawnRequest(
  { name: fleet, defaults }: FleetFile,
  worker: FleetFileWorker,
  { cwd, harness }: FleetSurroundings,
): Fields {
  const { needs: _needs, ...own } = worker;
  const merged = { ...defaults, ...own, env: { ...defaults.env, ...own.env } };
  const { on_stale: stale, on_hung: hung, on_crash: crash, restarts, worktree, cwd: folder, ...rest } = merged;
  return named({
    ...rest,
    scenario: scenarioFrom(cwd, rest.scenario),
    fleet,
    harness: merged.harness ?? harness,
    mode: "headless",
    cwd: folder === undefined ? undefined : resolve(cwd, folder),
    worktree: worktree === true ? {} : worktree === false ? undefined : worktree,
    trouble: named({ stale, hung, crash, restarts }),
  });
}

/** Whether it counts as done only when its checks have passed. */
export const isChecked = ({ defaults }: FleetFile, { checks }: FleetFileWorker): boolean =>
  (checks ?? defaults.checks ?? []).length > 0;
