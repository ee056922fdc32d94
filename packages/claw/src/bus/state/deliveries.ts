import { LIMITS } from "@claw/contract";
import type { StoredProjection } from "../projection.ts";
import { fieldsOf, numberOf, textOf } from "../read-payload.ts";
import { refill } from "./refill.ts";

export const COMMAND_ACCEPTED = "system.command.accepted";

/**
 * Which commands were delivered under which idempotency key. The server notes the key right before the command, in
 * one commit: the command's sequence is the note's plus one.
 */
export interface Deliveries extends StoredProjection {
  /** The sequence of the command that was delivered under a key. */
  sequenceOf(key: string): number | undefined;
}

interface Note {
  readonly key: string;
  readonly sequence: number;
  readonly cmdTopic: string;
}

interface Saved {
  readonly byKey: readonly [key: string, sequence: number][];
  readonly open: Note | null;
}

export function createDeliveries(): Deliveries {
  const byKey = new Map<string, number>();
  /** A note whose command has not been seen yet; a crash may have cut it off. */
  let open: Note | undefined;
  const remember = ({ key, sequence }: Note): void => {
    byKey.set(key, sequence + 1);
    const [oldest] = byKey.keys();
    if (byKey.size > LIMITS.deliveryKeys && oldest !== undefined) byKey.delete(oldest);
  };
  return {
    patterns: [COMMAND_ACCEPTED, "cmd.**"],
    wants: ({ topic }) => open !== undefined || topic === COMMAND_ACCEPTED,
    apply: ({ topic, from, sequence, payload }) => {
      if (open !== undefined && open.sequence + 1 === sequence && open.cmdTopic === topic) remember(open);
      open = undefined;
      if (topic !== COMMAND_ACCEPTED || from !== "server") return;
      const { idempotencyKey, cmdTopic } = fieldsOf(payload);
      const key = textOf(idempotencyKey);
      const target = textOf(cmdTopic);
      if (key !== undefined && target !== undefined && numberOf(sequence) !== undefined) {
        open = { key, sequence, cmdTopic: target };
      }
    },
    save: (): Saved => ({ byKey: [...byKey], open: open ?? null }),
    load: (saved) => {
      const known = saved as Saved;
      refill(byKey, known.byKey);
      open = known.open ?? undefined;
    },
    sequenceOf: (key) => byKey.get(key),
  };
}
