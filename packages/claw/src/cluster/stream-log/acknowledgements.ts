import type { NatsConnection } from "@nats-io/transport-node";
import { createInbox } from "@nats-io/transport-node";
import { inboxPrefixOf } from "./ordered-feed.ts";
import type { StreamMessage } from "./stream-message.ts";

/** What the stream answered to a message. */
export type Acknowledgement =
  | { readonly kind: "stored"; readonly sequence: number; readonly duplicate: boolean }
  /** Nothing of this sending was stored. `isAway`: the stream has no leader for now. */
  | { readonly kind: "refused"; readonly why: string; readonly isAway: boolean };

/** Publishes messages. The answers come to a single subscription. */
export interface Acknowledgements {
  publish(message: StreamMessage): void;
  close(): void;
}

const NO_LEADER = 503;

interface Answer {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly code?: number; readonly description?: string };
}

function readAnswer(code: number, text: string): Acknowledgement | undefined {
  if (code === NO_LEADER) return { kind: "refused", why: "the stream has no leader", isAway: true };
  try {
    const { seq, duplicate, error } = JSON.parse(text) as Answer;
    if (error !== undefined) {
      const { description = "refused", code: status } = error;
      return { kind: "refused", why: description, isAway: status === NO_LEADER };
    }
    return seq === undefined ? undefined : { kind: "stored", sequence: seq, duplicate: duplicate === true };
  } catch {
    return undefined;
  }
}

export function followAcknowledgements(
  nats: NatsConnection,
  answered: (id: string, acknowledgement: Acknowledgement) => void,
): Acknowledgements {
  const inbox = createInbox(inboxPrefixOf(nats));
  const subscription = nats.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error !== null) return;
      const answer = readAnswer(message.headers?.code ?? 0, message.string());
      if (answer !== undefined) answered(message.subject.slice(inbox.length + 1), answer);
    },
  });
  return {
    publish: ({ subject, body, headers, id }) => nats.publish(subject, body, { headers, reply: `${inbox}.${id}` }),
    close: () => {
      if (!nats.isClosed()) subscription.unsubscribe();
    },
  };
}
