import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const callPeer = defineVerb({
  name: "rpc call",
  group: "bus",
  summary: "Call a method of a peer, and print its answer.",
  input: z.object({
    worker: WorkerRef.describe("Worker by id or name, or any peer by its id.").meta({ positional: 0 }),
    method: z.string().min(1).max(200).describe("Method of the peer.").meta({ positional: 1 }),
    params: z.string().default("{}").describe("Parameters, a JSON object.").meta({ positional: 2 }),
  }),
  output: z.object({
    peer_id: z.string(),
    method: z.string(),
    answer: z.unknown().describe("Answer of the peer; null in a dry run."),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "WORKER_NOT_FOUND", "RPC_FAILED"],
  effect: "write",
  examples: [{ description: "Check a call", command: "claw rpc call worker describe '{}' --dry-run" }],
});
