import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";
import { PHASES } from "../../../events/phases.ts";
import { CAPABILITIES } from "../../capabilities.ts";
import { defineRequest, judged, loose, refusedAs, WireId, Word } from "../../define-request.ts";

export const helloRequest = defineRequest({
  name: "hello",
  summary: "Introduces a client, which becomes a peer. A second hello changes capabilities and wave only.",
  from: "any client",
  effect: "read",
  request: z.object({
    protocol: refusedAs(z.literal("claws/2"), "hello requires protocol: claws/2"),
    role: judged(z.enum(ROLES).describe("Required in the first hello, unless a token names the role.")),
    peerName: loose(z.string()).describe("Name for people, cut at 200 characters."),
    capabilities: loose(z.array(z.unknown()), []).describe(
      `Additions that the client understands: ${CAPABILITIES.join(", ")}. Others are ignored.`,
    ),
    terminalId: loose(WireId).describe("Terminal that the client runs in."),
    waveId: loose(Word).describe("Wave that the client takes part in."),
    subWorkerRole: loose(Word).describe("Part of the client in its wave."),
    correlation_id: loose(Word).describe("Id of the purpose for which the client was started."),
    monitorCorrelationId: loose(Word).describe("Correlation id that the client monitors."),
    instanceNonce: loose(Word).describe("The same nonce, name and role give the same peer id."),
    resumeToken: loose(z.string()).describe("Token from an earlier hello: the client continues as the same peer."),
    token: judged(z.string().describe("Signature of a signed hello.")),
    nonce: judged(z.string().describe("Used once, in a signed hello.")),
    timestamp: judged(z.union([z.number(), z.string()]).describe("Time of a signed hello, in milliseconds.")),
  }),
  reply: z.object({
    peerId: z.string(),
    protocol: z.literal("claws/2"),
    serverCapabilities: z.array(z.string()),
    rootOrchestratorPresent: z.boolean().describe("Whether an orchestrator without wave and correlation id is here."),
    durability: z
      .enum(["strict", "relaxed"])
      .optional()
      .describe("Whether an acknowledged event survives a power cut: `strict`, or `relaxed` when it may not."),
    restored: z.boolean().describe("Whether subscriptions or a life of the peer go on."),
    idempotent: z.literal(true).optional().describe("Set in the reply to a second hello."),
    resumeCursor: z.string().optional().describe("End of the log, for the capabilities `resume` and `gap`."),
    bootId: z.string().optional().describe("Id of the client's life, for the capability `resume`."),
    resumeToken: z.string().optional().describe("Token to come back as the same peer, for the capability `resume`."),
    phase: z.enum(PHASES).nullable().optional().describe("Phase of a worker, for the capability `resume`."),
  }),
});
