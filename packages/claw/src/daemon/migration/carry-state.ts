import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { DurableRecord, DurableStore } from "../../bus/index.ts";
import { openSnapshotStore } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";

const EPOCH_DIGITS = 4;

/** An epoch as cursors name it. */
export const epochText = (epoch: number): string => String(epoch).padStart(EPOCH_DIGITS, "0");

/** What follows from a log and stands in files beside it. */
export interface StatePlace {
  readonly snapshots: string;
  readonly notify: string;
  readonly epoch: number;
}

interface Presence {
  readonly present: readonly [string, string][];
  readonly left: readonly [string, number][];
  readonly homes?: readonly [string, string][];
}

/** Peers of a log with one writer belong to the machine that moves the log. */
function withHomes(presence: unknown, machine: string): Presence {
  const known = presence as Presence;
  const homes = new Map(known.homes ?? []);
  for (const [peerId] of [...known.present, ...known.left]) if (!homes.has(peerId)) homes.set(peerId, machine);
  return { ...known, homes: [...homes] };
}

export interface CarryOptions {
  readonly fs: FileSystem;
  readonly from: StatePlace;
  readonly to: StatePlace;
  readonly head: number;
  /** The machine of this folder in the cluster. */
  readonly machine: string;
}

/** Carries the newest snapshot over: it alone knows what retention has removed from the log. */
export async function carrySnapshot({ fs, from, to, head, machine }: CarryOptions): Promise<void> {
  if (!existsSync(from.snapshots)) return;
  const ignore = (): void => undefined;
  const place = { epoch: epochText(from.epoch), head };
  const snapshot = openSnapshotStore(fs, from.snapshots).load(place, ignore);
  if (snapshot === undefined) return;
  const presence = withHomes(snapshot.state["presence"], machine);
  const state = { ...snapshot.state, presence };
  await openSnapshotStore(fs, to.snapshots).save({ ...snapshot, epoch: epochText(to.epoch), state });
}

/** Carries over how far notices were delivered, so that none is delivered twice. */
export function carryNotices({ fs, from, to }: Pick<CarryOptions, "fs" | "from" | "to">): void {
  withFileErrors("copy", to.notify, () => {
    fs.mkdirSync(to.notify, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of existsSync(from.notify) ? readdirSync(from.notify) : []) {
      const position = readJsonFile<{ epoch: string }>(join(from.notify, name), LIMITS.settingsBytes);
      if (position?.epoch !== epochText(from.epoch)) continue;
      writeFileAtomically(fs, join(to.notify, name), JSON.stringify({ ...position, epoch: epochText(to.epoch) }));
    }
  });
}

/** Carries over the places of durable subscriptions. A place that is further there already stays. */
export async function carryDurables(
  from: { readonly records: readonly DurableRecord[]; readonly epoch: number },
  to: { readonly store: DurableStore; readonly epoch: number },
): Promise<void> {
  const epoch = epochText(to.epoch);
  for (const record of from.records) {
    if (record.epoch !== epochText(from.epoch)) continue;
    const known = to.store.attach === undefined ? to.store.get(record.name) : await to.store.attach(record.name);
    if (known?.epoch === epoch && known.acked >= record.acked) continue;
    await to.store.save({ ...record, epoch });
  }
}
