import * as z from "zod";

/** A command line that ran in a shell, in the form that older clients read. */
export const LoggedCommand = z.object({
  seq: z.number().describe("Place in the log of the event about its end; 0 in the reply to `exec`."),
  terminalId: z.string(),
  terminalName: z.string(),
  commandLine: z.string(),
  output: z.string().describe("Printed text, as far as it is kept."),
  exitCode: z.number().nullable().describe("Null when unknown."),
  startedAt: z.number().describe("Milliseconds."),
  endedAt: z.number().describe("Milliseconds."),
});
