/** The bounds of commands to workers. Units are in the names. */
export const COMMAND_LIMITS = {
  /** How long a command may stand on each step before it expires: until it is routed, ... */
  commandAcceptedMs: 10_000,
  /** ... until it is given to the worker, which may be busy; */
  commandQueuedMs: 30 * 60_000,
  /** ... until the program is seen to have taken it, until it answers, until it has done it. */
  commandInjectedMs: 60_000,
  commandSubmittedMs: 120_000,
  commandAckedMs: 10 * 60_000,
  /** The same for what stops a worker. */
  urgentQueuedMs: 60_000,
  urgentSubmittedMs: 60_000,
  urgentAckedMs: 60_000,
  /** Commands that may wait for one worker; further ones are refused. Those that stop it are counted by themselves. */
  waitingCommands: 100,
  /** How often it is told what keeps one command from being typed, at most. */
  heldTellings: 20,
  /** Text that is typed into a terminal as one paste, in UTF-8. */
  pastedBytes: 256 * 1024,
  /** The same where the program takes no pastes: a terminal that gathers lines cuts longer ones. */
  typedLineBytes: 4000,
} as const;
