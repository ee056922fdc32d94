import * as z from "zod";
import { EVENT_LIMITS } from "../../../events/event-limits.ts";
import { WAVE_ROLES } from "../../../events/wave.ts";
import { defineRequest, judged, refusedAs, Word } from "../../define-request.ts";

/** The longest topic of a wave that the server itself publishes on. */
const TOPIC_AROUND = "wave..lead.boot".length;

export const createWave = defineRequest({
  name: "wave.create",
  summary: "Starts a wave. An existing wave stays unchanged.",
  from: "any client",
  effect: "write",
  request: z.object({
    waveId: Word.max(EVENT_LIMITS.topicLength - TOPIC_AROUND)
      .regex(/^[A-Za-z0-9_-]+$/)
      .describe("Name of the wave: one segment of a topic."),
    manifest: refusedAs(z.array(z.enum(WAVE_ROLES)).min(1), "wave.create:missing-manifest").describe(
      "Parts in the wave.",
    ),
    layers: judged(
      z.array(z.string()).describe("Layers that the wave works on. Entries that are no text are ignored."),
    ),
  }),
  reply: z.object({ waveId: z.string(), createdAt: z.number().describe("Milliseconds.") }),
});
