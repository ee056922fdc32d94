import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { ANY_PEER, defineRequest, loose, Word } from "../../define-request.ts";

export const callPeerRequest = defineRequest({
  name: "rpc.call",
  summary: "Passes a call on to another peer, and answers with that peer's answer. Calls are not stored.",
  from: ANY_PEER,
  effect: "write",
  routedBy: { names: "peer", field: "targetPeerId" },
  request: z.object({
    targetPeerId: Word.describe("Peer that is called."),
    method: Word,
    params: z.record(z.string(), z.unknown()).default({}),
    timeoutMs: loose(z.number()).describe(
      `Time for the answer, up to ${LIMITS.rpcTimeoutMaxMs}; ${LIMITS.rpcTimeoutMs} by default.`,
    ),
  }),
  reply: z.object({ requestId: z.string(), result: z.unknown().optional().describe("Answer of the peer.") }),
});
