import type { OldHandlers } from "./old-tool.ts";
import { request } from "./old-tool.ts";

type Names =
  | "claws_lifecycle_plan"
  | "claws_lifecycle_advance"
  | "claws_lifecycle_snapshot"
  | "claws_lifecycle_reflect"
  | "claws_wave_create"
  | "claws_wave_status"
  | "claws_wave_complete";

/** The mission of the folder, and waves. */
export const MISSION_HANDLERS: OldHandlers<Names> = {
  claws_lifecycle_plan: (
    { plan, worker_mode: workerMode = "single", expected_workers: expectedWorkers = 1 },
    { ports },
  ) => request(ports, "lifecycle.plan", { plan, workerMode, expectedWorkers }),
  claws_lifecycle_advance: (input, { ports }) => request(ports, "lifecycle.advance", input),
  claws_lifecycle_snapshot: (_input, { ports }) => request(ports, "lifecycle.snapshot"),
  claws_lifecycle_reflect: (input, { ports }) => request(ports, "lifecycle.reflect", input),
  claws_wave_create: (input, { ports }) => request(ports, "wave.create", input),
  claws_wave_status: (input, { ports }) => request(ports, "wave.status", input),
  claws_wave_complete: (input, { ports }) => request(ports, "wave.complete", input),
};
