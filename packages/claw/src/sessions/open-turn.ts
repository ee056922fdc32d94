import type { SessionMessage, SessionRecord, SessionTotals } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { withFileErrors, writeAllBytes } from "../files/index.ts";
import type { Compaction, Conversation } from "./conversation.ts";
import { createConversationBuilder, NEW_CONVERSATION } from "./conversation.ts";
import { closeQuietly, findSessionFile, sessionPath } from "./session-files.ts";
import { readSession } from "./session-reader.ts";
import { addMessage, addUsage, createTally } from "./session-totals.ts";
import { appendRecords, metaRecord, openForAppend } from "./session-writer.ts";
import type { TailRepair } from "./torn-tail.ts";
import { repairTail } from "./torn-tail.ts";

/**
 * A turn being written. Records are in the file as soon as they are appended, and count from `commit` on. No other
 * process can write to the session until the turn is closed.
 */
export interface OpenTurn {
  readonly sessionId: string;
  readonly path: string;
  /** Whether the session is new. */
  readonly created: boolean;
  /** The conversation before this turn. */
  readonly conversation: Conversation;
  /** The session's totals before this turn. */
  readonly before: SessionTotals;
  readonly repair: TailRepair;
  append(message: SessionMessage): void;
  /** Records that a summary replaces the oldest messages from now on. */
  compact(compaction: Compaction): void;
  /**
   * Makes the turn count. Returns the session's new totals once the turn is on disk. No records can be added
   * afterwards.
   */
  commit(): SessionTotals;
  /** Whether the session would still exist if the turn were closed now. */
  isKept(): boolean;
  /**
   * Lets other processes write. The records of an uncommitted turn stay in the file without counting. A new session
   * that holds only its prompt is removed. Idempotent.
   */
  close(): void;
}

export interface OpenTurnRequest {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly id: string;
  /** Fields of the first record of a new session. */
  readonly meta: { readonly cwd: string; readonly model?: string; readonly fork?: { parent_session_id: string } };
  /** The conversation a new session starts with. */
  readonly start?: Conversation;
  readonly release: () => void;
  readonly signal: AbortSignal;
}

interface ReadSession {
  readonly conversation: Conversation;
  readonly totals: SessionTotals;
}

async function readThere({ fs, directory, id, signal }: OpenTurnRequest): Promise<ReadSession> {
  const builder = createConversationBuilder();
  const { totals } = await readSession(fs, findSessionFile(fs, directory, id), {
    onRecord: (record) => builder.add(record),
    signal,
  });
  return { conversation: builder.build(), totals };
}

/** The conversation a fork takes over, as records that count at once. */
function* startRecords({ summary, messages }: Conversation): Generator<SessionRecord> {
  if (summary !== null) yield { type: "compaction", count: 1, removed_message_count: 0, summary };
  for (const message of messages) yield { type: "message", message };
}

function startingWith(conversation: Conversation): ReadSession {
  const tally = createTally();
  for (const record of startRecords(conversation)) tally.add(record);
  return { conversation, totals: tally.totals() };
}

/** Begins a turn at the end of a session; a missing session is created. The caller holds the session's lock. */
export async function openTurn(request: OpenTurnRequest): Promise<OpenTurn> {
  const { fs, directory, id, meta, start = NEW_CONVERSATION } = request;
  const path = sessionPath(directory, id);
  const there = withFileErrors("open", path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  const created = there === undefined;
  const found = created ? startingWith(start) : await readThere(request);
  const fd = openForAppend(fs, path);
  try {
    const repair = withFileErrors("repair", path, () => repairTail(fs, fd, path));
    const nowMs = Date.now();
    const isEmpty = withFileErrors("open", path, () => fs.fstatSync(fd).size) === 0;
    if (isEmpty) {
      const { cwd, ...more } = meta;
      const first = { ...metaRecord(id, nowMs, cwd), ...more } as SessionRecord;
      appendRecords(fs, fd, path, [first, ...startRecords(start)]);
    }
    return new TurnFile({ ...request, path, fd, created, repair, ...found, turnId: `turn-${nowMs}-${process.pid}` });
  } catch (error) {
    closeQuietly(fs, fd);
    if (created) fs.unlinkSync(path);
    throw error;
  }
}

interface TurnFileParts extends OpenTurnRequest, ReadSession {
  readonly path: string;
  readonly fd: number;
  readonly created: boolean;
  readonly repair: TailRepair;
  readonly turnId: string;
}

class TurnFile implements OpenTurn {
  readonly sessionId: string;
  readonly path: string;
  readonly created: boolean;
  readonly conversation: Conversation;
  readonly before: SessionTotals;
  readonly repair: TailRepair;
  readonly #parts: TurnFileParts;
  #totals: SessionTotals;
  #compactions: number;
  #state: "open" | "committed" | "closed" = "open";
  #isAnswered = false;

  constructor(parts: TurnFileParts) {
    this.#parts = parts;
    this.sessionId = parts.id;
    this.path = parts.path;
    this.created = parts.created;
    this.conversation = parts.conversation;
    this.before = parts.totals;
    this.repair = parts.repair;
    this.#totals = parts.totals;
    this.#compactions = parts.conversation.compactions;
  }

  append(message: SessionMessage): void {
    const { turnId } = this.#parts;
    this.#write({ type: "message", turn_id: turnId, timestamp_ms: Date.now(), message });
    this.#totals = addMessage(this.#totals, message);
    this.#isAnswered ||= message.role !== "user";
  }

  compact({ removed, summary, kind, fallbackReason, asked }: Compaction): void {
    const { turnId } = this.#parts;
    this.#compactions += 1;
    const count = this.#compactions;
    this.#write({
      type: "compaction",
      turn_id: turnId,
      count,
      removed_message_count: removed,
      summary,
      summary_kind: kind,
      ...(fallbackReason === null ? {} : { fallback_reason: fallbackReason }),
      ...asked,
    });
    this.#totals = addUsage(this.#totals, asked?.usage ?? {});
    this.#isAnswered = true;
  }

  /** Hands a record to the system, which keeps it even if this process dies. Only the commit waits for the disk. */
  #write(record: SessionRecord): void {
    const { fs, fd, path } = this.#parts;
    withFileErrors("write", path, () => writeAllBytes(fs, fd, Buffer.from(`${JSON.stringify(record)}\n`)));
  }

  commit(): SessionTotals {
    const { fs, fd, path, turnId } = this.#parts;
    const totals = { ...this.#totals, turns: this.#totals.turns + 1 };
    appendRecords(fs, fd, path, [{ type: "turn_commit", turn_id: turnId, timestamp_ms: Date.now(), totals }]);
    this.#state = "committed";
    return totals;
  }

  isKept(): boolean {
    return this.#state === "committed" || !this.#parts.created || this.#isAnswered;
  }

  close(): void {
    if (this.#state === "closed") return;
    const { fs, fd, path, release } = this.#parts;
    const isLeft = !this.isKept();
    this.#state = "closed";
    closeQuietly(fs, fd);
    try {
      if (isLeft) withFileErrors("delete", path, () => fs.unlinkSync(path));
    } finally {
      release();
    }
  }
}
