import type { Feed, NewEvent, StoredEvent } from "./event-log.ts";

/** The feed of a log that is not followed. */
export const NO_FEED: Feed = () => 0;

/** The event with its place in the log. */
export const storedEvent = ({ topic, from, tsServer, payload }: NewEvent, sequence: number): StoredEvent => ({
  topic,
  from,
  tsServer,
  payload,
  sequence,
});
