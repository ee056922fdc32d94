import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Messages of one session that a client which lost its connection can still ask for; the oldest are dropped first. */
const MAX_MESSAGES = 1000;
const MAX_CHARS = 4 * 1024 * 1024;

interface Kept {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

const isEmpty = (message: object): boolean => Object.keys(message).length === 0;

/** Messages of a session, for a client that comes back after its stream broke. */
export function createReplayStore(): EventStore {
  const kept = new Map<string, Kept>();
  let numbers = 0;
  let chars = 0;
  const drop = (): void => {
    for (const [id, { chars: freed }] of kept) {
      if (kept.size <= MAX_MESSAGES && chars <= MAX_CHARS) return;
      kept.delete(id);
      chars -= freed;
    }
  };
  return {
    storeEvent: (stream, message) => {
      const id = String((numbers += 1));
      const size = JSON.stringify(message).length;
      kept.set(id, { stream, message, chars: size });
      chars += size;
      drop();
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(kept.get(id)?.stream),
    replayEventsAfter: async (id, { send }) => {
      const stream = kept.get(id)?.stream ?? "";
      for (const [later, { stream: of, message }] of kept) {
        const isLater = Number(later) > Number(id) && of === stream;
        // The first message of a stream is empty: it only gives the client an id to come back with.
        if (isLater && !isEmpty(message)) await send(later, message);
      }
      return stream;
    },
  };
}
