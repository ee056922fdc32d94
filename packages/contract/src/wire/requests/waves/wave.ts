import * as z from "zod";
import { EVENT_LIMITS } from "../../../events/event-limits.ts";
import { Word } from "../../define-request.ts";

/** The longest topic of a wave that the server itself publishes on, without the wave's name. */
const TOPIC_AROUND = "wave..lead.boot".length;

/** The name of a wave, or of a part in it: one segment of a topic. */
export const WaveId = Word.max(EVENT_LIMITS.topicLength - TOPIC_AROUND)
  .regex(/^[A-Za-z0-9_-]+$/)
  .describe("Letters, digits, `_` and `-`: one segment of a topic.");

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
