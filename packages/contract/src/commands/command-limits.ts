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
