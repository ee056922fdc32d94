import * as z from "zod";
import { CLOSE_ORIGINS } from "./close-origin.ts";

const isoTime = z.string().describe("ISO time.");
const offset = z.int().min(0);

/** Identifies a process for good: pids are reused, but not a pid together with start time, boot and host. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  started: z.string().nullable().describe("Kernel start time; null where the system does not tell."),
  boot: z.string().nullable().describe("Id of the system's boot; null where the system does not tell."),
  host: z.string(),
});
export type ProcessIdentity = Readonly<z.output<typeof ProcessIdentity>>;

/** How a terminal ended. */
export const TerminalEnd = z.object({
  at: isoTime,
  origin: z.enum(CLOSE_ORIGINS).describe("Who or what closed the terminal."),
  exitCode: z.int().nullable().describe("Exit code of the terminal's program; null when unknown."),
  signal: z.int().nullable().describe("Number of the signal that ended the program; null when none did."),
});
export type TerminalEnd = Readonly<z.output<typeof TerminalEnd>>;

/** Data about a terminal besides its output. The terminal host stores it as `about.json`. */
export const Terminal = z.object({
  id: z.string(),
  name: z.string(),
  pid: z.int().describe("Process id of the shell or program in the terminal."),
  program: ProcessIdentity.nullable().describe("The terminal's first process; null before the process is started."),
  argv: z.array(z.string()).readonly(),
  cwd: z.string(),
  cols: z.int(),
  rows: z.int(),
  openedAt: isoTime,
  correlationId: z.string().nullable().describe("Given by the client that opened the terminal."),
  workerId: z.string().nullable().describe("Worker for which the terminal was opened."),
  tree: z
    .string()
    .nullable()
    .optional()
    .describe("Mark in the environment of a worker's agent and its descendants. Older hosts set no mark."),
  integrated: z.boolean().describe("Whether the shell tells where commands begin and end."),
  end: TerminalEnd.nullable().describe("Null while the terminal is open, or when the host was killed before the end."),
  sizes: z
    .array(z.object({ offset, cols: z.int(), rows: z.int() }).readonly())
    .readonly()
    .describe("Sizes of the terminal over time, each valid from an offset in the output."),
});
export type Terminal = Readonly<z.output<typeof Terminal>>;

/** The content of a terminal's screen. */
export const TerminalScreen = z.object({
  text: z.string().describe("The lines, joined, without trailing blanks of lines and blank lines at the end."),
  lines: z.array(z.string()).readonly(),
  cursor: z.object({ x: z.int(), y: z.int() }).readonly().describe("From 0."),
  cols: z.int(),
  rows: z.int(),
  exact: z.boolean().describe("False when some of the output that produced the screen is no longer kept."),
  offset: z.int().min(0).describe("Offset in the output, in bytes, up to which the screen is drawn."),
  bracketedPaste: z.boolean().optional().describe("Whether the program asked for marked pastes (mode 2004)."),
  wrapped: z
    .array(z.boolean())
    .readonly()
    .optional()
    .describe("For each line, whether the line continues the line before, which was full."),
  solid: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("The lines with blanks in place of faint text, such as hints and placeholders."),
  cursorHidden: z.boolean().optional().describe("Whether the program hides the cursor."),
});
/** Optional fields are undefined when they were not examined. */
export type TerminalScreen = Readonly<z.output<typeof TerminalScreen>>;

const variables = z.record(z.string(), z.string()).readonly();

/** The program and the settings of a new terminal. */
export const TerminalRequest = z.object({
  terminalId: z.string().describe("Never used before in this workspace."),
  name: z.string(),
  cwd: z.string().optional(),
  shellPath: z.string().optional().describe("Path of the shell; the user's shell when absent."),
  argv: z.array(z.string()).readonly().optional().describe("A program instead of a shell."),
  env: variables.optional().describe("Variables added to the environment that every terminal starts with."),
  cols: z.int().optional(),
  rows: z.int().optional(),
  correlationId: z.string().optional(),
  workerId: z.string().optional().describe("Worker for which the terminal is opened."),
});
export type TerminalRequest = Readonly<z.output<typeof TerminalRequest>>;

/** A request for a new terminal as the terminal host gets it. */
export const HostedTerminalRequest = TerminalRequest.extend({ env: variables.describe("The whole environment.") });
export type HostedTerminalRequest = Readonly<z.output<typeof HostedTerminalRequest>>;
