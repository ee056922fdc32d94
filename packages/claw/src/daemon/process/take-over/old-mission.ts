import { join } from "node:path";
import { isMissionPhase, LIMITS, MISSION_MODES, parseJson } from "claw-contract";
import { readSmallFile } from "../../../files/index.ts";
import { isOwnFile } from "../own-folder.ts";

type Mission = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly Mission[] =>
  Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);

/** Whether the value has every field of a mission that clients read. */
function isMission(value: unknown): value is Mission {
  if (typeof value !== "object" || value === null) return false;
  const { v, phase, phases_completed: phases, plan, worker_mode: mode, mission_n: number } = value as Mission;
  const { expected_workers: expected, spawned_workers: workers } = value as Mission;
  return (
    v === 3 &&
    isMissionPhase(phase) &&
    Array.isArray(phases) &&
    phases.every(isMissionPhase) &&
    typeof plan === "string" &&
    MISSION_MODES.some((known) => known === mode) &&
    Number.isSafeInteger(number) &&
    Number.isSafeInteger(expected) &&
    isList(workers)
  );
}

/**
 * The mission that claws 0.8 left in `lifecycle-state.json`; undefined when there is none. The mission's terminals
 * ended with the old server, so its workers are closed and it has no monitors.
 */
export function readOldMission(folder: string): Mission | undefined {
  const path = join(folder, "lifecycle-state.json");
  const file = isOwnFile(folder, path) ? readSmallFile(path, LIMITS.requestLineBytes) : undefined;
  if (file?.kind !== "text") return undefined;
  const state = parseJson(file.text);
  if (!isMission(state)) return undefined;
  const spawned = (state["spawned_workers"] as readonly Mission[]).map((worker) => ({ ...worker, status: "closed" }));
  const workers = spawned.map((worker) => ({ id: (worker as Mission)["id"], closed: true }));
  return { failure_cause: null, ...state, spawned_workers: spawned, monitors: [], workers };
}
