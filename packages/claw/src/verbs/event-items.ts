import type { EventItem, GapItem } from "@claw/client";
import type { VerbItem } from "@claw/contract";

type Item = VerbItem<"events">;

const timeOf = ({ envelope }: EventItem): string | undefined => envelope?.ts_server ?? envelope?.ts_published;

/** An event as CloudEvents 1.0 has it; the topic is its type. */
function cloudEvent(event: EventItem): Item {
  const time = timeOf(event);
  return {
    specversion: "1.0",
    id: event.envelope?.id ?? event.cursor,
    source: `claws://${event.from}`,
    type: event.topic,
    ...(time === undefined ? {} : { time }),
    datacontenttype: "application/json",
    sequence: String(event.sequence),
    cursor: event.cursor,
    data: event.data,
  };
}

export function eventItem(event: EventItem, format: "claw" | "cloudevents"): Item {
  if (format === "cloudevents") return cloudEvent(event);
  const { topic, from, sequence, cursor, payload } = event;
  return { type: "event", topic, from, sequence, cursor, payload };
}

export const gapItem = ({ from, to, reason }: GapItem): Item => ({ type: "gap", from, to, reason });

/** Whether an event was stored before that moment. Events without a time are not. */
export const isBefore = (event: EventItem, ms: number): boolean => {
  const time = timeOf(event);
  return time !== undefined && Date.parse(time) < ms;
};
