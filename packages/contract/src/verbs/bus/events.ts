import * as z from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

/** An event in the form that all outputs share. */
const ClawEvent = z.object({
  type: z.literal("event"),
  topic: z.string(),
  from: z.string(),
  ts_server: z.string().describe("When the event was stored."),
  sequence: Count,
  cursor: z.string().describe("Place of the event in the log; --since with it reads the events after this one."),
  payload: z.unknown(),
  summary: z.string().optional().describe("The event in one line for people; only in text output."),
});

/** A notice the bus sends to current listeners and does not store, such as the arrival of a read-only peer. */
const Notice = ClawEvent.omit({ sequence: true, cursor: true }).extend({
  type: z.literal("notice"),
  ts_server: z.string().describe("When the notice was sent."),
});

/** The same as CloudEvents 1.0. */
const CloudEvent = z.looseObject({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.string(),
  type: z.string().describe("Topic of the event; claw.gap stands for events that can no longer be read."),
  time: z.string().optional(),
  data: z.unknown(),
});

/** Events that can no longer be read. */
const Gap = z.object({ type: z.literal("gap"), from: z.string(), to: z.string(), reason: z.string() });

const Item = z.union([ClawEvent, Notice, CloudEvent, Gap]);

export const events = defineVerb({
  name: "events",
  group: "bus",
  summary: "Read the event log, and follow it.",
  input: z.object({
    topic: z
      .array(z.string())
      .optional()
      .describe("Pattern of topics: * is one segment, ** any number; repeatable. Without it, all topics."),
    since: z.string().optional().describe("Begin after this cursor, or at this time (ISO, or an age: 10m, 2h, 3d)."),
    follow: z
      .boolean()
      .default(false)
      .describe("Continue with new events, and with notices that are not stored.")
      .meta({ short: "f" }),
    limit: z.int().min(1).max(LIMITS.listMax).optional().describe("Stop after this many events."),
    format: z.enum(["claw", "cloudevents"]).default("claw").describe("Format of an event."),
  }),
  output: z.object({
    events: z.array(Item).describe("Empty when the events were printed one by one."),
    events_count: Count,
    resume_cursor: z.string().describe("Pass it as --since to continue from here."),
  }),
  stream: Item,
  errors: [...BUS_ERRORS, "INVALID_CURSOR"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "Everything so far", command: "claw events" },
    { description: "The last ten minutes, then live", command: "claw events --follow --since 10m" },
    {
      description: "Workers, as it happens",
      command: "claw events --follow --topic 'worker.**' --output-format stream-json",
    },
  ],
});
