import type * as z from "zod";
import { objectOf } from "../json.ts";
import type { EVENTS } from "./registry.ts";

type BareRow = Extract<(typeof EVENTS)[number], { readonly form: "bare" }>;

/** The payloads of events without an envelope, by topic. */
type Payloads = { [Row in BareRow as Row["address"]]: z.infer<Row["schema"]> };

/**
 * The payload of an event on a topic; undefined for an event on another topic. Not checked here: the bus stores no event
 * that its schema refuses.
 */
export const storedPayload = <Topic extends keyof Payloads>(
  event: { readonly topic: string; readonly payload: unknown },
  topic: Topic,
): Payloads[Topic] | undefined => (event.topic === topic ? (objectOf(event.payload) as Payloads[Topic]) : undefined);
