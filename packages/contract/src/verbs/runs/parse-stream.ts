import * as z from "zod";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { RunResult } from "../../runs/run-result.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const parseStream = defineVerb({
  name: "parse-stream",
  group: "programs",
  summary: "Read a recorded stream of an agent and print the result of its run.",
  input: z.object({
    file: z.string().min(1).default("-").describe("The recording; - is standard input.").meta({ positional: 0 }),
    harness: z.enum(HARNESS_IDS).describe("Agent that wrote the stream."),
    exitCode: z.int().default(0).describe("Exit code of the agent's process."),
    subject: z.string().optional().describe("Name of the run in diagnostics."),
    noHangHeuristic: z
      .boolean()
      .default(false)
      .describe("Do not doubt a run because it ended with a question or left work behind."),
  }),
  output: z.object({ result: RunResult }),
  stream: z.looseObject({ type: z.string() }).describe("A message of the stream-json contract, or a native event."),
  errors: ["RECORDING_NOT_FOUND"],
  effect: "read",
  unlimited: true,
  bulky: true,
  examples: [
    { description: "The result of a run", command: "claw parse-stream run.ndjson --harness claude-code" },
    {
      description: "As a program reads it",
      command: "claw parse-stream codex.ndjson --harness codex --output-format json",
    },
  ],
});
