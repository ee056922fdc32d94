import * as z from "zod";
import { ANY_PEER, defineRequest } from "../../define-request.ts";
import { MachineFields } from "../../../workers/machine-fields.ts";

export const listMachinesRequest = defineRequest({
  name: "machine.list",
  summary: "Lists the machines of the cluster.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({}),
  reply: z.object({ machines: z.array(MachineFields).describe("By name; none for a daemon without a cluster.") }),
});
