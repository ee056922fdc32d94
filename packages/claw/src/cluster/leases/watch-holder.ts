import type { LeaseContext } from "./keep-lease.ts";
import { readLease } from "./lease-record.ts";
import type { LeaseHolder } from "./lease.ts";

export interface HolderWatch {
  readonly key: string;
  readonly changed: (holder: LeaseHolder | undefined) => void;
  readonly holderOf: (key: string) => Promise<LeaseHolder | undefined>;
}

/** Tells who holds a lease. A key that expires says nothing, so a silent key is read again after the lease's time. */
export async function watchHolder(
  { bucket, clock, ttlMs }: LeaseContext,
  { key, changed, holderOf }: HolderWatch,
): Promise<{ close(): void }> {
  let last: LeaseHolder | undefined;
  let isClosed = false;
  let cancel = (): void => undefined;
  const tell = (holder: LeaseHolder | undefined): void => {
    if (isClosed || (holder?.fence === last?.fence && holder?.holder === last?.holder)) return;
    last = holder;
    changed(holder);
  };
  const check = async (): Promise<void> => {
    const before = last;
    const now = await holderOf(key).catch(() => before);
    if (isClosed || last !== before) return;
    tell(now);
    if (now !== undefined) wait();
  };
  const wait = (): void => {
    cancel();
    cancel = clock.after(ttlMs, () => void check());
  };
  const watch = await bucket.watch(key, ({ value, revision }) => {
    cancel();
    if (value === undefined) return tell(undefined);
    const { holder, fence } = readLease({ value, revision });
    tell({ holder, fence });
    wait();
    return undefined;
  });
  if (last === undefined) changed(undefined);
  return {
    close: () => {
      isClosed = true;
      cancel();
      watch.close();
    },
  };
}
