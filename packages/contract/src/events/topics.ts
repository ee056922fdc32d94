import type * as z from "zod";
import { EVENT_LIMITS } from "./event-limits.ts";
import { objectOf } from "../json.ts";
import type { EVENTS } from "./registry.ts";

/**
 * Dot-separated segments. The first segment names the namespace and is lower case. Later ids keep the spelling of the
 * issuer (`p_000001`, a UUID, a wave called `W3`). Comparison is case-sensitive.
 */
const NAMESPACE = /^[a-z][a-z0-9_-]*$/;
const SEGMENT = /^[A-Za-z0-9_-]+$/;
const WILDCARDS: ReadonlySet<string> = new Set(["*", "+", "**"]);

const isOne = (segment: string): boolean => segment === "*" || segment === "+";

function segmentsOf(value: unknown, accepts: (segment: string, index: number) => boolean): string[] | null {
  if (typeof value !== "string" || value.length > EVENT_LIMITS.topicLength) return null;
  const segments = value.split(".");
  return segments.length <= EVENT_LIMITS.topicSegments && segments.every(accepts) ? segments : null;
}

const isLiteral = (segment: string, index: number): boolean => (index === 0 ? NAMESPACE : SEGMENT).test(segment);

/** The segments of a concrete topic, or null if it is none. */
export const topicSegments = (value: unknown): string[] | null => segmentsOf(value, isLiteral);

/** The segments of a subscription pattern, or null if it is none. A wildcard stands for whole segments only. */
export const patternSegments = (value: unknown): string[] | null =>
  segmentsOf(value, (segment, index) => WILDCARDS.has(segment) || isLiteral(segment, index));

export const isTopic = (value: unknown): value is string => topicSegments(value) !== null;

export const isTopicPattern = (value: unknown): value is string => patternSegments(value) !== null;

/**
 * Whether a split pattern covers a split topic: `*` and `+` are one segment, `**` any number of them, none included.
 * Only the latest `**` is ever reconsidered, which keeps the work within pattern × topic segments.
 */
export function matchSegments(pattern: readonly string[], topic: readonly string[]): boolean {
  let at = 0;
  let seen = 0;
  let resumeAt = -1;
  let resumeSeen = 0;
  while (seen < topic.length) {
    const segment = pattern[at];
    if (segment === "**") {
      at += 1;
      resumeAt = at;
      resumeSeen = seen;
    } else if (segment !== undefined && (isOne(segment) || segment === topic[seen])) {
      at += 1;
      seen += 1;
    } else if (resumeAt >= 0) {
      resumeSeen += 1;
      at = resumeAt;
      seen = resumeSeen;
    } else {
      return false;
    }
  }
  while (pattern[at] === "**") at += 1;
  return at === pattern.length;
}

/** False when either side is not well formed. */
export function matchTopic(pattern: string, topic: string): boolean {
  const patternParts = patternSegments(pattern);
  const topicParts = topicSegments(topic);
  return patternParts !== null && topicParts !== null && matchSegments(patternParts, topicParts);
}

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
