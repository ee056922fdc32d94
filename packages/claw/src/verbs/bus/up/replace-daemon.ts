import type { VerbInput } from "claw-contract";
import { ClawError, compareReleases } from "claw-contract";
import type { DaemonFlags, DaemonRecord } from "../../../daemon/index.ts";
import {
  beginReplacement,
  flagsOfDaemon,
  releaseOf,
  requireFormat,
  requireSpokenTo,
  runningWorkers,
  stopDaemon,
  unfinishedReplacement,
} from "../../../daemon/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { plural } from "../../text/text-layout.ts";
import { givenFlags } from "./up-flags.ts";
import type { Replaced } from "./up-output.ts";
import { isOlder } from "./up-output.ts";

type Input = VerbInput<"up">;

/** Adds flags of another daemon to a call. Flags that the call gives come first. */
const withFlags = (input: Input, { cwd }: Ports, flags: DaemonFlags): Input => ({
  ...input,
  ...flags,
  ...givenFlags(input, cwd),
});

/** Clients know the daemon's address, so its successor listens on the same port, also where the system chose the port. */
const sameAddress = ({ http }: DaemonRecord): DaemonFlags => (http === null ? {} : { http: new URL(http).host });

/** Adds the running daemon's flags and address to the call that replaces the daemon. */
export const asSuccessor = (input: Input, ports: Ports, running: DaemonRecord): Input =>
  withFlags(input, ports, { ...flagsOfDaemon(ports.cwd, running), ...sameAddress(running) });

/** The call with the flags of a daemon whose replacement was cut off between its end and the start of its successor. */
export const goOnAfter = (input: Input, ports: Ports): Input =>
  withFlags(input, ports, unfinishedReplacement(ports.cwd) ?? {});

export const describeReplaced = (running: DaemonRecord, { cwd }: Ports): Replaced => ({
  version: releaseOf(running),
  pid: running.pid,
  workers: runningWorkers(cwd),
});

/** Throws when this version must not replace the daemon, or could not go on with its files, workers and terminals. */
export function requireReplaceable(running: DaemonRecord, { cwd, toolVersion }: Ports): void {
  const version = releaseOf(running);
  if (compareReleases(version, toolVersion) > 0) {
    throw new ClawError("DOWNGRADE_REFUSED", `the daemon is of version ${version}, and this claw is ${toolVersion}`, {
      operation: "replace_daemon",
      target: cwd,
      details: { pid: running.pid, version, tool_version: toolVersion },
    });
  }
  requireFormat(cwd);
  requireSpokenTo(cwd);
}

/** Stops the daemon. Its flags are remembered until its successor runs, also when this process dies. */
export async function stopOlder(successor: Input, running: DaemonRecord, ports: Ports): Promise<void> {
  beginReplacement(ports.cwd, givenFlags(successor, ports.cwd));
  await stopDaemon(running, ports.signal);
}

/** The error of a successor that did not start, with what to do about the daemon that has ended. */
export function notStarted(error: unknown): unknown {
  if (!(error instanceof ClawError)) return error;
  const next =
    "The older daemon has ended; workers go on and keep their events. Call claw up again to start a daemon with its flags; claw down forgets these flags.";
  return new ClawError(error.code, error.message, { ...error.options, hint: `${error.hint} ${next}` });
}

/** Says in a warning that the daemon is of another version than this claw. */
export function warnOfVersion(running: DaemonRecord, { notes, toolVersion }: Ports): void {
  const version = releaseOf(running);
  const order = compareReleases(version, toolVersion);
  const difference = `the daemon is of version ${version}, and this claw is ${toolVersion}`;
  if (order > 0) notes.warn(`DAEMON_NEWER: ${difference}; use the newer claw`);
  if (order >= 0) return;
  notes.warn(`DAEMON_OUTDATED: ${difference}; claw up --replace replaces it, workers and terminals go on`);
}

const YES = /^\s*y(es)?\s*$/i;

/** Whether to replace the daemon: as the call says, or as the person at the terminal answers. */
export async function wantsReplacement(input: Input, running: DaemonRecord, ports: Ports): Promise<boolean> {
  const { terminal, toolVersion, signal } = ports;
  if (input.replace) return releaseOf(running) !== toolVersion;
  if (terminal === null || input.dryRun || !isOlder(running, ports)) return false;
  const { version, workers } = describeReplaced(running, ports);
  const going = `${plural(workers.length, "running worker")} and all terminals go on`;
  const question = `The daemon is of version ${version}. Replace it by ${toolVersion}? ${going}. [y/N] `;
  return YES.test((await terminal.ask(question, signal)) ?? "");
}
