import * as z from "zod";
import { WorkerStateChanged } from "../../../events/families/supervision.ts";
import { WorkerFields } from "../../../workers/worker-fields.ts";
import { ANY_PEER, defineRequest } from "../../define-request.ts";
import { workerName } from "./worker-parts.ts";

export const showWorkerRequest = defineRequest({
  name: "worker.show",
  summary: "Shows one worker, its last changes of state and the workers it started.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({ workerId: workerName("Id or name of the worker.") }),
  reply: z.object({
    worker: WorkerFields,
    changes: z.array(WorkerStateChanged).describe("As published, oldest first."),
    children: z.array(WorkerFields),
  }),
});
