import { ClawError } from "claw-contract";
import type { Bucket, BucketChange } from "../buckets/bucket.ts";

/** The report of a daemon about its machine. */
export interface MachineReport {
  readonly version: string;
  /** Workers that run. */
  readonly running: number;
  /** Workers that may run at once. */
  readonly slots: number;
  /** ISO time at which the daemon started, by the clock of its machine. */
  readonly startedAt: string;
}

export interface KnownMachine extends MachineReport {
  readonly name: string;
  /** Whether its daemon is heard. */
  readonly isUp: boolean;
  /** ISO time of the machine's last report: by this daemon's clock when this daemon heard the report, else by the machine's clock. */
  readonly lastSeen: string;
}

/** The machines of a cluster, from their reports. Machines that are gone stay in it. */
export interface MachineDirectory {
  /** Reports of this machine begin: at once, and then again and again. */
  begin(look: () => MachineReport): void;
  /** Reports now. Never rejects: a report that was not stored is made again. */
  tell(): Promise<void>;
  /** All machines by name, this machine included after its first report. */
  all(): readonly KnownMachine[];
  close(): void;
}

/** How often a machine reports. */
const REPORT_MS = 5000;

const KEYS = "machine.>";
const keyOf = (machine: string): string => `machine.${machine}`;
const nameIn = (key: string): string => key.slice("machine.".length);

interface Heard {
  readonly report: MachineReport & { readonly at: string };
  /** Undefined for a report that was stored before this daemon looked. */
  readonly seen: string | undefined;
}

export interface DirectoryOptions {
  readonly machine: string;
  /** Whether a machine is heard, by its lease: the same answer decides how its workers are shown. */
  readonly isHeard: (machine: string) => boolean;
  readonly timestamp?: () => string;
  /** Told of a report that NATS refused. */
  readonly failed?: (error: unknown) => void;
}

function readReport(value: string | undefined): Heard["report"] | undefined {
  if (value === undefined) return undefined;
  try {
    const { version, running, slots, startedAt, at } = JSON.parse(value) as Partial<Heard["report"]>;
    const isFit = typeof running === "number" && typeof slots === "number" && typeof at === "string";
    return isFit ? { version: String(version), running, slots, startedAt: String(startedAt), at } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the newest report of a machine under its key. */
function createReporter(bucket: Bucket, key: string): (text: string) => Promise<void> {
  let revision = 0;
  return async (text) => {
    const stored = await bucket.write(key, text, revision);
    revision = stored ?? (await bucket.read(key))?.revision ?? 0;
    if (stored === undefined) revision = (await bucket.write(key, text, revision)) ?? 0;
  };
}

/** Whether a daemon goes on without an answer: NATS is away, and the next report comes soon. */
const isAway = (error: unknown): boolean => error instanceof ClawError && error.code === "NATS_UNREACHABLE";

const knownOf = (name: string, { report: { at, ...report }, seen }: Heard, isUp: boolean): KnownMachine => ({
  name,
  ...report,
  isUp,
  lastSeen: seen ?? at,
});

/** Keeps the reports of all machines in a bucket, one key a machine. */
export async function openMachineDirectory(bucket: Bucket, options: DirectoryOptions): Promise<MachineDirectory> {
  const { machine, isHeard, timestamp = () => new Date().toISOString(), failed } = options;
  const heard = new Map<string, Heard>();
  let isFound = true;
  const take = ({ key, value }: BucketChange): void => {
    const report = readReport(value);
    if (report === undefined) return void heard.delete(nameIn(key));
    heard.set(nameIn(key), { report, seen: isFound ? undefined : timestamp() });
  };
  const watch = await bucket.watch(KEYS, take);
  isFound = false;
  let look: (() => MachineReport) | undefined;
  const write = createReporter(bucket, keyOf(machine));
  const tell = async (): Promise<void> => {
    if (look === undefined) return;
    await write(JSON.stringify({ ...look(), at: timestamp() })).catch((error: unknown) => {
      if (!isAway(error)) failed?.(error);
    });
  };
  const timer = setInterval(() => void tell(), REPORT_MS);
  timer.unref();
  return {
    tell,
    begin: (given) => {
      look = given;
      void tell();
    },
    all: () =>
      [...heard]
        .map(([name, each]) => knownOf(name, each, isHeard(name)))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    close: () => {
      clearInterval(timer);
      watch.close();
    },
  };
}
