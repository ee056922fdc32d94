import * as z from "zod";
import { defineRequest, judged, loose, Word } from "../../define-request.ts";

export const completeWaveRequest = defineRequest({
  name: "wave.complete",
  summary:
    "Completes a wave, then closes the terminals of its members. While its lead is connected, only the lead may.",
  from: "any client",
  effect: "write",
  request: z.object({
    waveId: Word,
    commits: judged(z.array(z.string()).describe("Commits of the wave. Entries that are no text are ignored.")),
    regressionClean: loose(z.boolean()).describe("Whether every test that passed before passes still."),
    summary: loose(Word),
  }),
  reply: z.object({
    waveId: z.string(),
    completedAt: z.number().nullable().describe("Milliseconds."),
    harvested: z.int().describe("Number of terminals of the members."),
  }),
});
