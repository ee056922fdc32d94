import * as z from "zod";
import { WorkerFields } from "../../../workers/worker-fields.ts";
import { ANY_PEER, defineRequest } from "../../define-request.ts";

export const listWorkersRequest = defineRequest({
  name: "worker.list",
  summary: "Lists all workers with their states, ended workers included.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({}),
  reply: z.object({ workers: z.array(WorkerFields).describe("Oldest first.") }),
});
