import type { CommandStep } from "../events/families/system.ts";

/** The bounds of commands to workers. Units are in the names. */
export const COMMAND_LIMITS = {
  /** Time a command may stay on each step before it expires. Accepted: until the command has a route. */
  commandAcceptedMs: 10_000,
  /** Queued: until the worker, which may be busy, is given the command. */
  commandQueuedMs: 30 * 60_000,
  /** Injected: until the program takes the command. Submitted: until the worker answers. Acked: until it is applied. */
  commandInjectedMs: 60_000,
  commandSubmittedMs: 120_000,
  commandAckedMs: 10 * 60_000,
  /** The same times for commands that stop a worker. */
  urgentQueuedMs: 60_000,
  urgentSubmittedMs: 60_000,
  urgentAckedMs: 60_000,
  /** Commands that may wait for a worker; further ones are refused. Stop commands are counted apart. */
  waitingCommands: 100,
  /** Most reports of why one command cannot be typed yet. */
  heldTellings: 20,
  /** Text that is typed into a terminal as one paste, in UTF-8 bytes. */
  pastedBytes: 256 * 1024,
  /** The same for a program without paste support: a terminal in line mode cuts longer lines. */
  typedLineBytes: 4000,
} as const;

/** Commands that may not wait behind text: they stop what text would only add to. */
const URGENT: ReadonlySet<string> = new Set(["abort", "pause"]);

export const isUrgent = (action: string): boolean => URGENT.has(action);

/** How long a command may stand on a rung, by step. */
export type CommandWaits = Readonly<Partial<Record<CommandStep, number>>>;

export const COMMAND_WAITS: CommandWaits = {
  accepted: COMMAND_LIMITS.commandAcceptedMs,
  queued: COMMAND_LIMITS.commandQueuedMs,
  injected: COMMAND_LIMITS.commandInjectedMs,
  submitted: COMMAND_LIMITS.commandSubmittedMs,
  acked: COMMAND_LIMITS.commandAckedMs,
};

export const URGENT_WAITS: CommandWaits = {
  ...COMMAND_WAITS,
  queued: COMMAND_LIMITS.urgentQueuedMs,
  submitted: COMMAND_LIMITS.urgentSubmittedMs,
  acked: COMMAND_LIMITS.urgentAckedMs,
};

/** What an agent takes as structured input waits there for the end of what it does, as it would have before. */
export const INPUT_WAITS: CommandWaits = {
  ...COMMAND_WAITS,
  injected: COMMAND_LIMITS.commandQueuedMs,
  submitted: COMMAND_LIMITS.commandQueuedMs,
};

/** When a command that reached a step expires, unless it comes further. Null at its end. */
export function commandDeadline(step: CommandStep, at: number, waits: CommandWaits): number | null {
  const wait = waits[step];
  return wait === undefined ? null : at + wait;
}
