import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, loose, refusedAs, Word } from "../../define-request.ts";
import { LoggedCommand, TERMINAL_REF } from "./terminal-ref.ts";

export const execCommandRequest = defineRequest({
  name: "exec",
  summary: "Runs a command line in the shell of a terminal, and answers when it has ended.",
  from: "any client",
  effect: "write",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    command: refusedAs(Word.max(LIMITS.execCommandChars), "exec: command too long", "exec: command required"),
    timeoutMs: loose(z.number()).describe(
      `Time for the command, up to ${LIMITS.execTimeoutMaxMs}; ${LIMITS.execTimeoutMs} by default.`,
    ),
    ...TERMINAL_REF,
  }),
  reply: z.object({
    event: LoggedCommand,
    exitCode: z.number().nullable().describe("Null when unknown."),
    output: z.string(),
    degraded: z.literal(true).optional().describe("Set when the end was inferred because the shell does not tell it."),
    note: z.string().optional().describe("For people, when the exit code is unknown."),
  }),
});
