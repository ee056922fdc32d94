import * as z from "zod";
import { defineRequest, loose, Word } from "../../define-request.ts";

export const openAgentTerminal = defineRequest({
  name: "worker.terminal.open",
  summary: "Opens the terminal of an interactive worker's agent; each life of the worker has only one.",
  from: ["worker"],
  effect: "write",
  request: z.object({
    name: loose(Word).describe("Name of the terminal for people."),
    cwd: loose(Word).describe("Folder the program starts in."),
    argv: loose(z.array(z.string())).describe("Program and arguments; a shell otherwise."),
    env: loose(z.record(z.string(), z.string())).describe("Environment variables to add."),
    cols: loose(z.int()).describe("Columns of the screen."),
    rows: loose(z.int()).describe("Rows of the screen."),
  }),
  reply: z.object({
    id: z.string(),
    logPath: z.null(),
    wrapped: z.literal(true),
    pid: z.int().describe("Process of the agent."),
  }),
});
