import * as z from "zod";
import { MissionMonitor, MissionWorker } from "../../../events/families/lifecycle.ts";
import { MISSION_MODES, MISSION_PHASES } from "../../../events/mission-phases.ts";

/** The state of a mission. */
export const MissionState = z.object({
  v: z.literal(3),
  phase: z.enum(MISSION_PHASES),
  phases_completed: z.array(z.enum(MISSION_PHASES)).describe("Phases entered so far."),
  plan: z.string(),
  worker_mode: z.enum(MISSION_MODES),
  expected_workers: z.number(),
  spawned_workers: z.array(MissionWorker),
  monitors: z.array(MissionMonitor),
  workers: z.array(z.object({ id: z.string(), closed: z.boolean() })).describe("Terminals of the workers."),
  mission_n: z.number().describe("Number of the mission in its session, from 1 on."),
  session_started_at: z.string(),
  mission_started_at: z.string(),
  reflect: z.string().optional(),
  failure_cause: z.record(z.string(), z.unknown()).nullable(),
});

/** The reply of requests that change a mission. */
export const MissionReply = z.object({ state: MissionState.nullable() });
