import { createMemorySnapshotStore } from "./memory-snapshot-store.ts";
import type { Snapshot, LogPlace, SnapshotStore } from "./snapshot-store.ts";

/** The bus writes a snapshot after this many events, or after this many bytes of event payloads. */
const SNAPSHOT_EVENTS = 100_000;
const SNAPSHOT_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** Decides when a snapshot of the bus's state is stored. */
export interface Snapshots {
  /** The newest usable snapshot of a log. */
  load(place: LogPlace): Snapshot | undefined;
  /** Declares that the state is restored, and that a stored snapshot covers all events up to a sequence. */
  begin(written: number): void;
  /** Counts an event that the projections have applied. */
  note(payloadBytes: number): void;
  /**
   * Whether a stored snapshot covers all events up to a sequence, so the log may remove them. If not, starts a snapshot
   * soon.
   */
  covers(sequence: number): boolean;
  /** Resolves when the current state is stored, or when the reason for a failure is reported. */
  save(): Promise<void>;
}

export interface SnapshotsOptions {
  /** Without it, every start reads the whole log. */
  readonly snapshotStore?: SnapshotStore;
  /** After how many events a snapshot is taken. */
  readonly snapshotEvents?: number;
  /** Asked between two commits. */
  readonly capture: () => Snapshot;
  /** For the daemon's own log. */
  readonly report: (problem: string) => void;
}

/** Counts the events and bytes applied since the last snapshot began. */
function createBacklog(maxEvents: number) {
  let events = 0;
  let bytes = 0;
  return {
    add: (payloadBytes: number): void => {
      events += 1;
      bytes += payloadBytes;
    },
    isLong: (): boolean => events >= maxEvents || bytes >= SNAPSHOT_PAYLOAD_BYTES,
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
  const backlog = createBacklog(options.snapshotEvents ?? SNAPSHOT_EVENTS);
  let covered = 0;
  let running: Promise<void> | undefined;
  // No snapshot is taken before the bus has restored its state.
  let scheduled = true;

  async function write(snapshot: Snapshot): Promise<void> {
    backlog.clear();
    if (await isStored(store, snapshot, report)) covered = snapshot.sequence;
    running = undefined;
  }
  /** Not at once: `note` runs in the middle of a commit, before all listeners of the commit are told. */
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
