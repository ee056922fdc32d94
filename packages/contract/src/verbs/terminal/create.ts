import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count, NextStep } from "../../verb/output-parts.ts";

export const createTerminal = defineVerb({
  name: "terminal create",
  group: "workers",
  summary: "Open a terminal with a shell or a program, and print how to attach to it.",
  input: z.object({
    program: z
      .array(z.string())
      .optional()
      .describe("Program to run instead of a shell, with its arguments; put -- before it.")
      .meta({ positional: 0, whole: true }),
    name: z.string().min(1).max(200).optional().describe("Name of the terminal."),
    folder: z.string().min(1).optional().describe("Folder the terminal starts in; by default this folder."),
    shell: z.string().min(1).optional().describe("Shell to run; by default the user's shell."),
    env: z
      .array(z.string().min(1))
      .optional()
      .describe("NAME=VALUE sets a variable of the terminal; NAME passes your own value on. Repeatable.")
      .meta({ whole: true }),
  }),
  output: z.object({
    terminal_id: z.string().nullable().describe("Null in a dry run."),
    name: z.string().nullable(),
    pid: Count.nullable(),
    next_steps: z.array(NextStep),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "TERMINAL_HOST_FAILED", "LIFECYCLE_REFUSED"],
  effect: "write",
  examples: [
    { description: "A shell for builds", command: "claw terminal create --name build" },
    { description: "A program instead of a shell", command: "claw terminal create --env CI=1 -- sh -c 'npm test'" },
  ],
});
