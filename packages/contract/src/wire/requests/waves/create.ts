import * as z from "zod";
import { WAVE_ROLES } from "../../../events/families/wave.ts";
import { defineRequest, judged, refusedAs } from "../../define-request.ts";
import { WaveId } from "./wave.ts";

export const createWaveRequest = defineRequest({
  name: "wave.create",
  summary: "Starts a wave. An existing wave stays unchanged.",
  from: "any client",
  effect: "write",
  request: z.object({
    waveId: WaveId,
    manifest: refusedAs(z.array(z.enum(WAVE_ROLES)).min(1), "wave.create:missing-manifest").describe(
      "Parts in the wave.",
    ),
    layers: judged(
      z.array(z.string()).describe("Layers that the wave works on. Entries that are no text are ignored."),
    ),
  }),
  reply: z.object({ waveId: z.string(), createdAt: z.number().describe("Milliseconds.") }),
});
