import { resolve } from "node:path";
import type { VerbInput } from "claw-contract";
import type { DaemonFlags, DaemonRecord } from "../../../daemon/index.ts";

type Input = VerbInput<"up">;

const PATHS = ["socket", "tlsCert", "tlsKey", "busCredentials", "busCa", "busCert", "busKey"] as const;
const AMOUNTS = ["rateLimit", "budgetUsd", "budgetUsdPerDay", "budgetTokensPerDay", "busReplicas"] as const;
const WORDS = ["http", "durability", "policy", "bus", "cluster", "machine"] as const;
const SWITCHES = ["requireToken", "insecure", "tee"] as const;

/** Values that a daemon uses when the flags are not given. */
export const UP_DEFAULTS = { durability: "strict", policy: "strict", rateLimit: 10_000 } as const;

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flags of a call that decide how a daemon runs: those that were given. */
export function givenFlags(input: Input, cwd: string): DaemonFlags {
  const given: Record<string, string | number | boolean> = {};
  for (const name of PATHS) if (input[name] !== undefined) given[name] = resolve(cwd, input[name]);
  for (const name of [...AMOUNTS, ...WORDS]) if (input[name] !== undefined) given[name] = input[name];
  for (const name of SWITCHES) if (input[name]) given[name] = true;
  return given;
}

/** The value that the running daemon has for a flag. A daemon of an older version did not record all flags. */
function runningValue(name: string, { flags, socket, durability, policy }: DaemonRecord): unknown {
  const known: DaemonFlags = { ...UP_DEFAULTS, socket, durability, policy };
  return flags?.[name] ?? known[name];
}

/** Whether the daemon runs with the given value. `--http` may name the requested address or the address in use. */
const isSameFlag = (name: string, given: unknown, record: DaemonRecord): boolean =>
  runningValue(name, record) === given || (name === "http" && record.http?.endsWith(`//${String(given)}`) === true);

/** Describes the flags of a call that differ from the running daemon; empty when no flag differs. */
export function differences(given: DaemonFlags, record: DaemonRecord): string[] {
  return Object.entries(given)
    .filter(([name, value]) => !isSameFlag(name, value, record))
    .map(([name, value]) => {
      const running = runningValue(name, record);
      const has = running === undefined ? "runs without it" : `has ${String(running)}`;
      return `--${kebab(name)}${value === true ? "" : ` ${String(value)}`} (it ${has})`;
    });
}
