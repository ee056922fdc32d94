import type { SessionMessage, SessionRecord, SummaryKind } from "claw-contract";

/** What a model is to know of a session: what was said, with the oldest part replaced by a summary. */
export interface Conversation {
  /** What stands for the messages that were compacted; null when none were. */
  readonly summary: string | null;
  readonly messages: readonly SessionMessage[];
  /** How many answers a model has given in it, those included that a summary stands for. */
  readonly answers: number;
  /** How often it was compacted. */
  readonly compactions: number;
}

export const NEW_CONVERSATION: Conversation = { summary: null, messages: [], answers: 0, compactions: 0 };

/** The conversation after its oldest messages gave way to a summary. */
export const compacted = (conversation: Conversation, removed: number, summary: string): Conversation => ({
  ...conversation,
  summary,
  messages: conversation.messages.slice(removed),
  compactions: conversation.compactions + 1,
});

/** A summary that takes the place of the oldest messages of a conversation. */
export interface Compaction {
  /** How many messages it stands for. */
  readonly removed: number;
  readonly summary: string;
  readonly kind: SummaryKind;
  /** Why the model did not write it; null when the model did. */
  readonly fallbackReason: string | null;
  /** The request that the summary took; null when the model was not asked, or gave no answer. */
  readonly asked: { readonly model: string; readonly usage: NonNullable<SessionMessage["usage"]> } | null;
}

type SaidRecord = SessionRecord & { readonly type: "message" | "compaction" };

/** Builds a conversation from the records of a session. A turn counts from its commit on. */
export function createConversationBuilder(): { add(record: SessionRecord): void; build(): Conversation } {
  const open = new Map<string, SaidRecord[]>();
  let messages: SessionMessage[] = [];
  let summary: string | null = null;
  let answers = 0;
  let compactions = 0;
  const take = (record: SaidRecord): void => {
    if (record.type === "message") {
      if (record.message.role === "assistant") answers += 1;
      return void messages.push(record.message);
    }
    messages = messages.slice(record.removed_message_count);
    summary = record.summary;
    compactions += 1;
  };
  const wait = (turn: string, record: SaidRecord): void => {
    const waiting = open.get(turn);
    if (waiting === undefined) open.set(turn, [record]);
    else waiting.push(record);
  };
  return {
    add: (record) => {
      if (record.type === "turn_commit") {
        for (const said of open.get(record.turn_id) ?? []) take(said);
        open.delete(record.turn_id);
      } else if (record.type === "message" || record.type === "compaction") {
        if (record.turn_id === undefined) take(record);
        else wait(record.turn_id, record);
      }
    },
    build: () => ({ summary, messages, answers, compactions }),
  };
}
