import * as z from "zod";

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
