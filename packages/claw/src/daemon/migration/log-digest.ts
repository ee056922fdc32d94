import type { Hash } from "node:crypto";
import { createHash } from "node:crypto";
import type { StoredEvent } from "../../bus/index.ts";
import { logLine } from "../../bus/index.ts";

const HOLE = "system.log.hole";

type Place = Pick<StoredEvent, "sequence" | "tsServer">;

/** The `system.log.hole` that takes the place of an event. */
export const holeAt = ({ sequence, tsServer }: Place): StoredEvent => ({
  topic: HOLE,
  from: "server",
  tsServer,
  payload: JSON.stringify({ sequence }),
  sequence,
});

/** Makes a `system.log.hole` for each sequence that is missing before an event. */
export function* holesBefore({ sequence: end, tsServer }: Place, after: number): Generator<StoredEvent> {
  for (let sequence = after + 1; sequence < end; sequence += 1) yield holeAt({ sequence, tsServer });
}

/** Lines are hashed in pieces of about this size. */
const PIECE_CHARACTERS = 64 * 1024;

/** A digest of the events of a range, in order: topic, sender, time, payload and sequence, to the byte. */
export class LogDigest {
  readonly #hash: Hash = createHash("sha256");
  #lines = "";
  #head: number;
  #events = 0;
  #holes = 0;

  constructor(after: number) {
    this.#head = after;
  }

  /** Takes the next event in. Missing events before it count as holes. */
  add(event: StoredEvent): void {
    for (const hole of holesBefore(event, this.#head)) this.#take(hole);
    this.#take(event);
  }

  get head(): number {
    return this.#head;
  }

  get events(): number {
    return this.#events;
  }

  get holes(): number {
    return this.#holes;
  }

  /** The digest. No event can be added afterwards. */
  end(): string {
    return this.#hash.update(this.#lines).digest("hex");
  }

  #take(event: StoredEvent): void {
    this.#head = event.sequence;
    this.#events += 1;
    if (event.topic === HOLE && event.from === "server") this.#holes += 1;
    this.#lines += logLine(event);
    if (this.#lines.length < PIECE_CHARACTERS) return;
    this.#hash.update(this.#lines);
    this.#lines = "";
  }
}
