/** What was traced of a daemon: `append 7`, `sync-begin 3`, `sync-end 3`, `acked 7`, `pushed 7`. */
export interface SyncReport {
  readonly acked: number;
  readonly pushed: number;
  /** Sequences that left the daemon before a sync that began after their append had ended. */
  readonly unsynced: readonly string[];
}

export function reportSyncs(lines: readonly string[]): SyncReport {
  const appended = new Set<string>();
  const covered = new Map<string, readonly string[]>();
  const safe = new Set<string>();
  const unsynced: string[] = [];
  const counts = { acked: 0, pushed: 0 };
  for (const line of lines) {
    const [what, number = ""] = line.split(" ");
    if (what === "append") appended.add(number);
    if (what === "sync-begin") covered.set(number, [...appended]);
    if (what === "sync-end") for (const sequence of covered.get(number) ?? []) safe.add(sequence);
    if (what === "sync-end") for (const sequence of safe) appended.delete(sequence);
    if (what !== "acked" && what !== "pushed") continue;
    counts[what] += 1;
    if (!safe.has(number)) unsynced.push(line);
  }
  return { ...counts, unsynced };
}

const LOG = /\/log\/\d+\.jsonl>/;

interface Call {
  readonly name: string;
  readonly text: string;
  /** Set for a sync of the log. */
  readonly sync?: string;
}

const sequencesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** What a call had done when it returned. */
function ended({ name, text, sync }: Call): string[] {
  if (sync !== undefined) return [`sync-end ${sync}`];
  if (!name.includes("write") || !LOG.test(text)) return [];
  return sequencesIn(text, /\\"sequence\\":(\d+)\}\\n/g).map((sequence) => `append ${sequence}`);
}

/** What may have left the process as soon as a call was made. */
function begun({ text, sync }: Call): string[] {
  if (sync !== undefined) return [`sync-begin ${sync}`];
  if (LOG.test(text)) return [];
  return [
    ...sequencesIn(text, /\\"sentAt\\":\d+,\\"sequence\\":(\d+)/g).map((sequence) => `pushed ${sequence}`),
    ...sequencesIn(text, /\\"ok\\":true,\\"deliveredTo\\":\d+,\\"sequence\\":(\d+)/g).map(
      (sequence) => `acked ${sequence}`,
    ),
  ];
}

/** Reads what `strace -f -y` wrote: the same trace, as the kernel saw it. */
export function readStrace(text: string): string[] {
  const open = new Map<string, Call>();
  const lines: string[] = [];
  let syncs = 0;
  for (const line of text.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.startsWith("<... ")) {
      const call = open.get(thread);
      if (call !== undefined && / = \d+$/.test(rest)) lines.push(...ended(call));
      open.delete(thread);
      continue;
    }
    const name = rest.slice(0, rest.indexOf("("));
    const isSync = name.includes("sync") && LOG.test(rest);
    const call: Call = { name, text: rest, ...(isSync ? { sync: `${(syncs += 1)}` } : {}) };
    lines.push(...begun(call));
    if (rest.endsWith("<unfinished ...>")) open.set(thread, call);
    else if (/ = \d+$/.test(rest)) lines.push(...ended(call));
  }
  return lines;
}
