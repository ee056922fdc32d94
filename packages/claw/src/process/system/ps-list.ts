import { spawnSync } from "node:child_process";
import type { ProcessList, ProcessStat } from "./process-list.ts";

/** Runs a program of the system and returns its output; empty when the program fails. */
export type AskSystem = (file: string, args: readonly string[]) => string;

/** How long `ps` may take on a busy machine. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

const askSystem: AskSystem = (file, args) => {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, encoding: "utf8" as const };
  const env = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };
  return spawnSync(file, args, { ...options, env, stdio: ["ignore", "pipe", "ignore"] }).stdout ?? "";
};

/** The start is the last column, because it holds spaces. */
const COLUMNS = "pid=,ppid=,pgid=,state=,lstart=";

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(.+?)\s*$/;

/** The line of `ps` about one process. `ps` does not show sessions on macOS, and counts starts in seconds. */
function readLine(line: string): readonly [number, ProcessStat] | undefined {
  const [, pid, parent, group, state = "?", start = ""] = LINE.exec(line) ?? [];
  if (pid === undefined) return undefined;
  const seconds = Date.parse(`${start} UTC`) / 1000;
  const started = Number.isFinite(seconds) ? String(seconds) : "";
  return [Number(pid), { state, parent: Number(parent), group: Number(group), session: 0, started }];
}

const readTable = (output: string): ReadonlyMap<number, ProcessStat> =>
  new Map(output.split("\n").flatMap((line) => [readLine(line) ?? []].filter((row) => row.length === 2)));

/** The first group of the id's digits. */
const bootOf = (uuid: string): string | null => /^[0-9a-f]{8}/.exec(uuid.trim().toLowerCase())?.[0] ?? null;

/**
 * What `ps` and `sysctl` of macOS tell. The environment stands behind the command, without quotes: a value with spaces
 * is cut where a word looks like a variable.
 */
export function createPsList(ask: AskSystem = askSystem): ProcessList {
  let boot: string | null | undefined;
  return {
    stat: (pid) => readTable(ask("ps", ["-o", COLUMNS, "-p", String(pid)])).get(pid),
    table: () => readTable(ask("ps", ["-axo", COLUMNS])),
    environment: (pid) => {
      const words = ask("ps", ["-Eww", "-o", "command=", "-p", String(pid)]).trimEnd();
      return `\0${words.split(/ (?=[A-Za-z_][A-Za-z0-9_]*=)/).join("\0")}\0`;
    },
    bootId: () => (boot ??= bootOf(ask("sysctl", ["-n", "kern.bootsessionuuid"]))),
  };
}
