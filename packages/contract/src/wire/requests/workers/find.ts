import * as z from "zod";
import { ANY_PEER, defineRequest } from "../../define-request.ts";
import { workerName } from "./worker-parts.ts";

export const findWorkerRequest = defineRequest({
  name: "worker.find",
  summary: "Finds a worker by id or name, or else an open terminal; an agent's terminal stands for its worker.",
  from: ANY_PEER,
  effect: "guarded read",
  routedBy: { names: "target", field: "target" },
  request: z.object({ target: workerName("Id or name of a worker, or id of a terminal.") }),
  reply: z.object({
    peer_id: z.string().nullable().describe("Null for a terminal without a worker."),
    name: z.string(),
    terminal_id: z.string().nullable(),
    ended: z.boolean().optional().describe("Whether the worker has ended."),
    busy: z.boolean().optional().describe("Whether the worker's agent is at work."),
    ahead: z.int().optional().describe("Commands that wait for the worker."),
    hint: z.string().optional().describe("What can be done about a worker that has ended."),
  }),
});
