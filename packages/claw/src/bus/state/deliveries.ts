import { nonEmptyText } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";

/** Keys of delivered commands that are remembered; the oldest are forgotten first. */
const DELIVERY_KEYS = 10_000;
/** Remembered receipts of role members for commands to their role; the oldest commands are forgotten first. */
const MEMBER_RECEIPTS = 10_000;

export const COMMAND_ACCEPTED = "system.command.accepted";

/** Receipt of one member of a role for a command: the sequence of the member's `system.command.accepted`. */
export interface MemberReceipt {
  readonly peerId: string;
  readonly sequence: number;
}

/**
 * The peers that commands were accepted for. The server stores notes right before the command, in one commit: a note
 * with the idempotency key for a delivered command, a note for each member for a command to a role.
 */
export interface Deliveries extends StoredProjection {
  /** The sequence of the command that was delivered under a key. */
  sequenceOf(key: string): number | undefined;
  /** The receipts of a command to a role, by its sequence; none when it is too long ago. */
  receiptsOf(sequence: number): readonly MemberReceipt[];
}

/** Notes about a command whose event has not followed yet; a crash may have cut the command off. */
interface Note {
  readonly cmdTopic: string;
  /** Sequence of the last note; the command is the next event. */
  readonly sequence: number;
  readonly key?: string;
  readonly commandId?: string;
  readonly members: readonly MemberReceipt[];
}

interface Saved {
  readonly byKey: readonly [key: string, sequence: number][];
  readonly receipts: readonly [sequence: number, members: readonly MemberReceipt[]][];
  readonly open: Note | null;
}

/** Takes in the next note. The notes of one command have consecutive sequences. */
function note(open: Note | undefined, { sequence, payload }: CommittedEvent): Note | undefined {
  const { idempotencyKey, cmdTopic, commandId, targetPeerId } = fieldsOf(payload);
  const [key, topic, id, peerId] = [idempotencyKey, cmdTopic, commandId, targetPeerId].map(nonEmptyText);
  if (topic === undefined || peerId === undefined) return undefined;
  if (id === undefined) return key === undefined ? undefined : { cmdTopic: topic, sequence, key, members: [] };
  const before = open?.commandId === id && open.sequence + 1 === sequence ? open.members : [];
  return { cmdTopic: topic, sequence, commandId: id, members: [...before, { peerId, sequence }] };
}

/** Forgets the oldest entries beyond a limit; each counts as much as `sizeOf` says. */
function createShelf<Key, Value>(limit: number, sizeOf: (value: Value) => number) {
  const entries = new Map<Key, Value>();
  let size = 0;
  return {
    entries,
    put: (key: Key, value: Value): void => {
      entries.set(key, value);
      size += sizeOf(value);
      for (const [oldest, gone] of entries) {
        if (size <= limit) break;
        entries.delete(oldest);
        size -= sizeOf(gone);
      }
    },
  };
}

export function createDeliveries(): Deliveries {
  const byKey = createShelf<string, number>(DELIVERY_KEYS, () => 1);
  const receipts = createShelf<number, readonly MemberReceipt[]>(MEMBER_RECEIPTS, ({ length }) => length);
  let open: Note | undefined;
  const remember = ({ key, members }: Note, sequence: number): void => {
    if (key !== undefined) byKey.put(key, sequence);
    if (members.length > 0) receipts.put(sequence, members);
  };
  return {
    patterns: [COMMAND_ACCEPTED, "cmd.**"],
    wants: ({ topic }) => open !== undefined || topic === COMMAND_ACCEPTED,
    apply: (event) => {
      const { topic, from, sequence } = event;
      if (topic === COMMAND_ACCEPTED && from === "server") {
        open = note(open, event);
        return;
      }
      if (open !== undefined && open.sequence + 1 === sequence && open.cmdTopic === topic) remember(open, sequence);
      open = undefined;
    },
    save: (): Saved => ({ byKey: [...byKey.entries], receipts: [...receipts.entries], open: open ?? null }),
    load: (saved) => {
      const known = saved as Saved;
      for (const [key, sequence] of known.byKey) byKey.put(key, sequence);
      for (const [sequence, members] of known.receipts) receipts.put(sequence, members);
      open = known.open ?? undefined;
    },
    sequenceOf: (key) => byKey.entries.get(key),
    receiptsOf: (sequence) => receipts.entries.get(sequence) ?? [],
  };
}
