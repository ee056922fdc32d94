/** Bounds of terminals, their host and their screens. Part of `LIMITS`. */
export const TERMINAL_LIMITS = {
  /** Terminals that are open at a time. */
  terminals: 256,
  /** Output of one terminal that is kept, in files of the second size; the oldest goes first. */
  terminalLogBytes: 64 * 1024 * 1024,
  terminalSegmentBytes: 8 * 1024 * 1024,
  /** Closed terminals whose output is kept, and how much of it altogether; the oldest go first. */
  closedTerminals: 200,
  closedTerminalsBytes: 1024 * 1024 * 1024,
  /** The newest output of a terminal that is held in memory. */
  terminalRingBytes: 256 * 1024,
  /** Output that waits for a full disk before its program is held up. */
  terminalUnwrittenBytes: 4 * 1024 * 1024,
  /** What may wait to be read by the program in a terminal; more is refused. */
  terminalInputBytes: 1024 * 1024,
  /** Output that one read yields. */
  terminalReadBytes: 512 * 1024,
  /** Columns or rows. */
  terminalSize: 1000,
  /** A line that clients of the terminal host may send. */
  terminalRequestBytes: 8 * 1024 * 1024,
  /** Output a screen is made from at most; what came before it is left out, and the screen says so. */
  screenReplayBytes: 8 * 1024 * 1024,
  /** How long a screen that nobody asks for is kept, and its lines that have moved out of sight. */
  screenIdleMs: 30_000,
  screenScrollback: 1000,
  /** How often the program in the foreground of a terminal that prints is looked for. */
  foregroundMs: 2000,
  /** What becomes of terminals while the daemon is away; beyond it the oldest is forgotten, closings last. */
  terminalFacts: 10_000,
  /** How long the terminal host stays with no terminal and nobody connected. */
  terminalHostIdleMs: 60_000,
  terminalHostStartMs: 15_000,
  /** How long a program in a terminal that is closed may take before it is killed. */
  terminalCloseMs: 5000,
  /** How long a command in a shell is waited for unless told otherwise, and at most. */
  execTimeoutMs: 180_000,
  execTimeoutMaxMs: 24 * 60 * 60 * 1000,
  /** Characters of a command line in a terminal. */
  execCommandChars: 64 * 1024,
  /** Commands of shells that are remembered; output of each that is shown; how many one answer holds, and its output. */
  historyCommands: 500,
  historyOutputBytes: 256 * 1024,
  historyPage: 100,
  historyPageBytes: 8 * 1024 * 1024,
} as const;
