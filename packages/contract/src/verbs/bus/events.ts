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
  ts_server: z.string().describe("When it was stored."),
  sequence: Count,
  cursor: z.string().describe("Everything after this event is read by --since with it."),
  payload: z.unknown(),
  summary: z.string().optional().describe("Who did what, in a line; only where it is printed for people."),
});

/** A notice the bus sends to current listeners and does not store, such as the arrival of a read-only peer. */
const Notice = ClawEvent.omit({ sequence: true, cursor: true }).extend({
  type: z.literal("notice"),
  ts_server: z.string().describe("When it was sent."),
});

/** The same as CloudEvents 1.0. */
const CloudEvent = z.looseObject({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.string(),
  type: z.string().describe("The topic; claw.gap tells of events that can no longer be read."),
  time: z.string().optional(),
  data: z.unknown(),
});

/** Events that can no longer be read. */
const Gap = z.object({ type: z.literal("gap"), from: z.string(), to: z.string(), reason: z.string() });

const Item = z.union([ClawEvent, Notice, CloudEvent, Gap]);

export const events = defineVerb({
  name: "events",
  group: "bus",
  summary: "Read the log of everything that happened, and follow it.",
  input: z.object({
    topic: z
      .array(z.string())
      .optional()
      .describe("Pattern of topics: * is one segment, ** any number; repeatable. Without it, everything."),
    since: z.string().optional().describe("After this cursor, or since this time (ISO, or 10m, 2h, 3d)."),
    follow: z
      .boolean()
      .default(false)
      .describe("Go on with what happens from now on, and with notices that are not stored.")
      .meta({ short: "f" }),
    limit: z.int().min(1).max(LIMITS.listMax).optional().describe("Stop after so many events."),
    format: z.enum(["claw", "cloudevents"]).default("claw").describe("Form of an event."),
  }),
  output: z.object({
    events: z.array(Item).describe("Empty when they were printed one by one."),
    events_count: Count,
    resume_cursor: z.string().describe("Pass it as --since to go on from here."),
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
