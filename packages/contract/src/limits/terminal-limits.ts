/** Limits of terminals, the terminal host and screens. Part of `LIMITS`. */
export const TERMINAL_LIMITS = {
  /** Terminals that are open at the same time. */
  terminals: 256,
  /** Kept output of one terminal, in files of `terminalSegmentBytes`; the oldest output is deleted first. */
  terminalLogBytes: 64 * 1024 * 1024,
  terminalSegmentBytes: 8 * 1024 * 1024,
  /** Closed terminals with kept output, and the bytes of all their output; the oldest are deleted first. */
  closedTerminals: 200,
  closedTerminalsBytes: 1024 * 1024 * 1024,
  /** Newest output of a terminal that is held in memory. */
  terminalRingBytes: 256 * 1024,
  /** Output that waits for a full disk before the program in the terminal is paused. */
  terminalUnwrittenBytes: 4 * 1024 * 1024,
  /** Input that may wait for the program in a terminal; further input is refused. */
  terminalInputBytes: 1024 * 1024,
  /** Output bytes in one read. */
  terminalReadBytes: 512 * 1024,
  /** Most bytes that a request types into a terminal. */
  terminalTypeBytes: 64 * 1024,
  /** Longest time that a request waits for output of a terminal, in milliseconds. */
  terminalWaitMs: 10_000,
  /** Columns or rows. */
  terminalSize: 1000,
  /** A line that a client of the terminal host may send. */
  terminalRequestBytes: 8 * 1024 * 1024,
  /** A line that the terminal host may send: output as base64, and screens. */
  terminalReplyBytes: 64 * 1024 * 1024,
  /** Requests of one connection that the terminal host works on at a time; further requests are refused. */
  terminalHostCalls: 10_000,
  /** Most output from which a screen is built. Earlier output is left out, and the screen reports the omission. */
  screenReplayBytes: 8 * 1024 * 1024,
  /** How long an unused screen is kept. */
  screenIdleMs: 30_000,
  /** How often the host looks up the foreground program of a terminal that prints. */
  foregroundMs: 2000,
  /** Facts about terminals kept while the daemon is away; beyond the limit the oldest is dropped, closings last. */
  terminalFacts: 10_000,
  /** How long the terminal host runs without a terminal and without a connection. */
  terminalHostIdleMs: 60_000,
  terminalHostStartMs: 15_000,
  /** How long a program may take to end after its terminal is closed, before the host kills the program. */
  terminalCloseMs: 5000,
  /** Default and longest time to wait for a command in a shell. */
  execTimeoutMs: 180_000,
  execTimeoutMaxMs: 24 * 60 * 60 * 1000,
  /** Characters of a command line in a terminal. */
  execCommandChars: 64 * 1024,
  /** Remembered shell commands; output shown for a command; commands in one answer, and their output. */
  historyCommands: 500,
  historyOutputBytes: 256 * 1024,
  historyPage: 100,
  historyPageBytes: 8 * 1024 * 1024,
} as const;
