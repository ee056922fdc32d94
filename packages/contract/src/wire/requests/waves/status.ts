import * as z from "zod";
import { defineRequest, Word } from "../../define-request.ts";
import { WaveRecord } from "./wave.ts";

export const showWaveRequest = defineRequest({
  name: "wave.status",
  summary: "Shows a wave and its members.",
  from: "any client",
  effect: "read",
  request: z.object({ waveId: Word }),
  reply: WaveRecord,
});
