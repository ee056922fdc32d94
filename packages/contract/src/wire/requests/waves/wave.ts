import * as z from "zod";

/** A part in a wave, and the peer that has it. */
const WaveMember = z.object({
  role: z.string(),
  peerId: z.string().nullable(),
  peerName: z.string().nullable(),
  terminalId: z.string().nullable(),
  lastHeartbeatMs: z.number(),
  complete: z.boolean(),
});

/** A wave with its members. Times are milliseconds. */
export const WaveRecord = z.object({
  waveId: z.string(),
  layers: z.array(z.string()),
  leadPeerId: z.string(),
  leadPeerName: z.string(),
  leadTerminalId: z.string().nullable(),
  createdAt: z.number(),
  completedAt: z.number().nullable(),
  complete: z.boolean(),
  summary: z.string().nullable(),
  commits: z.array(z.string()),
  regressionClean: z.boolean().nullable(),
  harvestedAt: z.number().nullable().describe("When the terminals of the members were closed."),
  orphanedTerminals: z.array(z.string()).describe("Terminals that were still open then."),
  lead: z.object({
    peerId: z.string(),
    peerName: z.string(),
    terminalId: z.string().nullable(),
    status: z.enum(["active", "complete"]),
    lastSeenMs: z.number(),
  }),
  subWorkers: z.array(WaveMember),
  subWorkerTerminals: z.array(z.string()).describe("Terminals of all members except the lead."),
});
