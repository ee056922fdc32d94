import type { CommitListener } from "../../bus/index.ts";
import type { StreamMessage } from "./stream-message.ts";

/** An event on its way into the stream. */
export interface Pending {
  readonly message: StreamMessage;
  readonly listener: CommitListener;
  /** Publishers that sent the same event again meanwhile. */
  readonly repeated: CommitListener[];
  /** How often the message was sent. After the first time, only the stream can say whether the event is stored. */
  sent: number;
  /** When it was sent last, by the monotonic clock. */
  sentAt: number;
  /** The sequence that the stream acknowledged; 0 until then. */
  sequence: number;
}

/** Events on their way, in the order of their appending, by the ids of their messages. */
export interface PendingAppends {
  /** Sends the message as soon as there is room. */
  add(message: StreamMessage, listener: CommitListener): void;
  get(id: string): Pending | undefined;
  /** Takes an event out, which makes room for another. */
  take(id: string): void;
  /** Sends what waits, and again what was sent before that time and has no acknowledgement. */
  sendAgain(before: number): void;
  /** Takes all events out, in their order. */
  clear(): readonly Pending[];
  readonly size: number;
}

export interface PendingOptions {
  readonly send: (message: StreamMessage) => void;
  readonly maySend: () => boolean;
}

/** Messages that are sent and not yet stored. Further ones wait. */
export const IN_FLIGHT = 1024;

/** Whether a message that was sent before that time may be lost. */
const isUnanswered = ({ sequence, sent, sentAt }: Pending, before: number): boolean =>
  sequence === 0 && sent > 0 && sentAt <= before;

/**
 * Knows the number under which this machine held its name in the newest message that was sent. A message that is sent again may
 * come behind later ones. Under an older number than theirs it would count nowhere, so a new number waits until all before it
 * are settled.
 */
function createOrder() {
  let newest = 0;
  return {
    hasRoom: ({ number }: StreamMessage, inFlight: number): boolean =>
      inFlight < IN_FLIGHT && (inFlight === 0 || number <= newest),
    sent: ({ number }: StreamMessage): void => void (newest = Math.max(newest, number)),
  };
}

function emptied(open: Map<string, Pending>): readonly Pending[] {
  const all = [...open.values()];
  open.clear();
  return all;
}

const newPending = (message: StreamMessage, listener: CommitListener): Pending => ({
  message,
  listener,
  repeated: [],
  sent: 0,
  sentAt: 0,
  sequence: 0,
});

export function createPendingAppends({ send, maySend }: PendingOptions): PendingAppends {
  const open = new Map<string, Pending>();
  const waiting = new Set<Pending>();
  const order = createOrder();
  const sendOne = (pending: Pending): void => {
    pending.sent += 1;
    order.sent(pending.message);
    pending.sentAt = performance.now();
    send(pending.message);
  };
  const pump = (): void => {
    if (waiting.size === 0 || !maySend()) return;
    for (const pending of waiting) {
      if (!order.hasRoom(pending.message, open.size - waiting.size)) return;
      waiting.delete(pending);
      sendOne(pending);
    }
  };
  return {
    add: (message, listener) => {
      const pending = newPending(message, listener);
      open.set(message.id, pending);
      waiting.add(pending);
      pump();
    },
    get: (id) => open.get(id),
    take: (id) => {
      const pending = open.get(id);
      open.delete(id);
      if (pending !== undefined) waiting.delete(pending);
      pump();
    },
    sendAgain: (before) => {
      for (const pending of open.values()) if (isUnanswered(pending, before)) sendOne(pending);
      pump();
    },
    clear: () => {
      waiting.clear();
      return emptied(open);
    },
    get size() {
      return open.size;
    },
  };
}
