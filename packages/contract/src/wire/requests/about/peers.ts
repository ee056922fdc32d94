import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";
import { PHASES } from "../../../events/phases.ts";
import { defineRequest, loose, Word } from "../../define-request.ts";

const ConnectedPeer = z.object({
  peerId: z.string(),
  role: z.enum(ROLES),
  peerName: z.string(),
  terminalId: z.string().nullable().describe("Terminal that the peer runs in."),
  waveId: z.string().nullable(),
  correlationId: z.string().nullable().describe("Id of the purpose for which the peer was started."),
  joinedAt: z.number().describe("Milliseconds."),
  lastSeen: z.number().describe("When the last frame of the peer came, in milliseconds."),
  stale: z.boolean().describe("Whether the peer has been silent for too long."),
  phase: z.enum(PHASES).nullable().describe("Phase of a worker."),
  parentId: z.string().nullable().describe("Peer that the peer works for."),
  subscriptions: z.int().describe("Number of open subscriptions."),
  machine: z.string().optional().describe("Machine that the peer is connected to; absent without a cluster."),
});

export const listPeersRequest = defineRequest({
  name: "peers",
  summary: "Lists the peers that are connected to a machine, in the order of joining.",
  from: "any client",
  effect: "read",
  routedBy: { names: "daemon", field: "on" },
  request: z.object({
    on: loose(Word).describe("Machine of the cluster; without it, the machine of the daemon that is asked."),
  }),
  reply: z.object({ peers: z.array(ConnectedPeer) }),
});
