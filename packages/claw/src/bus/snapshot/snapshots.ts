import { LIMITS } from "@claw/contract";
import { createMemorySnapshotStore } from "./memory-snapshot-store.ts";
import type { Snapshot } from "./snapshot.ts";
import type { LogPlace, SnapshotStore } from "./snapshot-store.ts";

/** Decides when what the bus knows is written down. */
export interface Snapshots {
  /** The newest there is for a log. */
  load(place: LogPlace): Snapshot | undefined;
  /** Says that the bus knows everything again, and that everything up to a sequence is written down already. */
  begin(written: number): void;
  /** Tells of an event that was taken in. */
  note(payloadBytes: number): void;
  /** Whether events up to a sequence can go without taking knowledge along. If not, that is seen to. */
  covers(sequence: number): boolean;
  /** Resolves when what is known now is written down, or it was reported why it could not be. */
  save(): Promise<void>;
}

export interface SnapshotsOptions {
  /** Without it, every start reads the whole log. */
  readonly snapshotStore?: SnapshotStore;
  /** After how many events one is taken. */
  readonly snapshotEvents?: number;
  /** Asked between two commits. */
  readonly capture: () => Snapshot;
  /** For the daemon's own log. */
  readonly report: (problem: string) => void;
}

/** How much was taken in since somebody last began to write it down. */
function createBacklog(maxEvents: number) {
  let events = 0;
  let bytes = 0;
  return {
    add: (payloadBytes: number): void => {
      events += 1;
      bytes += payloadBytes;
    },
    isLong: (): boolean => events >= maxEvents || bytes >= LIMITS.snapshotPayloadBytes,
    clear: (): void => {
      events = 0;
      bytes = 0;
    },
  };
}

async function isStored(store: SnapshotStore, snapshot: Snapshot, report: (text: string) => void): Promise<boolean> {
  try {
    await store.save(snapshot);
    return true;
  } catch (error) {
    report(`no snapshot was stored: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const { snapshotStore: store = createMemorySnapshotStore(), capture, report } = options;
  const backlog = createBacklog(options.snapshotEvents ?? LIMITS.snapshotEvents);
  let covered = 0;
  let running: Promise<void> | undefined;
  // Nothing is written before the bus knows everything again.
  let scheduled = true;

  async function write(snapshot: Snapshot): Promise<void> {
    backlog.clear();
    if (await isStored(store, snapshot, report)) covered = snapshot.sequence;
    running = undefined;
  }
  /** Not at once: an event is taken in before everybody else has heard of its commit. */
  const startSoon = (): void => {
    if (running !== undefined || scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      running ??= write(capture());
    });
  };
  return {
    load: (place) => store.load(place, report),
    begin: (written) => {
      covered = written;
      scheduled = false;
      if (backlog.isLong()) startSoon();
    },
    note: (payloadBytes) => {
      backlog.add(payloadBytes);
      if (backlog.isLong()) startSoon();
    },
    covers: (sequence) => {
      if (covered < sequence) startSoon();
      return covered >= sequence;
    },
    save: async () => {
      await running;
      const snapshot = capture();
      if (snapshot.sequence > covered) await write(snapshot);
    },
  };
}
