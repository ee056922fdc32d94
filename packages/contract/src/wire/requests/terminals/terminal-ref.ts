import * as z from "zod";
import { loose, WireId } from "../../define-request.ts";

/** The fields that name a terminal. */
export const TERMINAL_REF = {
  terminalId: loose(z.union([z.string(), z.int()]).nullable(), "").describe("The terminal."),
  id: loose(WireId).describe("Id of the request. Names the terminal too when `terminalId` is absent or null."),
};

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
