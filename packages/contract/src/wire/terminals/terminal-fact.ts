import * as z from "zod";
import { TerminalEnd } from "./terminal.ts";

/** A command that ended in a terminal's shell. */
export const RanCommand = z.object({
  command: z.string(),
  exitCode: z.int().nullable().describe("Null when unknown."),
  startedAt: z.number().describe("Milliseconds."),
  endedAt: z.number().describe("Milliseconds."),
  from: z.int().min(0).describe("Offset where the command's output begins."),
  to: z.int().min(0).describe("Offset where the command's output ends."),
  degraded: z.boolean().describe("Whether the end was inferred because the shell does not tell of it."),
});
export type RanCommand = Readonly<z.output<typeof RanCommand>>;

/** A command that a client ran in a terminal's shell. */
export const ExecutedCommand = RanCommand.extend({
  output: z.string().describe("Printed text of the command, without sequences that only a screen understands."),
});
/** `output` is empty when unknown. */
export type ExecutedCommand = Readonly<z.output<typeof ExecutedCommand>>;

/** The program that a terminal's keys go to. */
export const ForegroundProgram = z.object({
  contentType: z.string(),
  pid: z.int().nullable(),
  basename: z.string().nullable(),
});
export type ForegroundProgram = Readonly<z.output<typeof ForegroundProgram>>;

const about = {
  terminalId: z.string(),
  number: z.int().min(1).describe("Grows with every fact of the terminal, so that a stored fact is recognised."),
  at: z.string().describe("ISO time."),
};

/** A change of an open terminal. */
export const TerminalChange = z.union([
  z.object({ ...about, kind: z.literal("ready") }).describe("The first output: the terminal's program lives."),
  ForegroundProgram.extend({ ...about, kind: z.literal("content") }),
  z.object({ ...about, kind: z.literal("command-start"), command: z.string(), from: z.int().min(0) }),
  RanCommand.extend({ ...about, kind: z.literal("command-end") }),
]);
export type TerminalChange = Readonly<z.output<typeof TerminalChange>>;

/** The end of a terminal. */
export const TerminalClosing = TerminalEnd.extend({
  ...about,
  kind: z.literal("closed"),
  correlationId: z.string().nullable(),
});
export type TerminalClosing = Readonly<z.output<typeof TerminalClosing>>;

/** An event of a terminal's life. The host keeps the fact until the daemon has stored it. */
export const TerminalFact = z.union([TerminalChange, TerminalClosing]);
export type TerminalFact = TerminalChange | TerminalClosing;

type WithoutHead<Fact> = Fact extends unknown ? Omit<Fact, keyof typeof about> : never;

/** A fact about a terminal before the host gives the fact its number and time. */
export type TerminalFactBody = WithoutHead<TerminalFact>;
