import * as z from "zod";
import { MISSION_PHASES } from "../../../events/mission-phases.ts";
import { defineRequest, judged, loose, Word } from "../../define-request.ts";
import { MissionReply } from "./mission-state.ts";

export const advanceMissionRequest = defineRequest({
  name: "lifecycle.advance",
  summary: "Moves the mission to another phase.",
  from: "any client",
  effect: "write",
  request: z.object({ to: judged(z.enum(MISSION_PHASES).describe("Required.")), reason: loose(Word) }),
  reply: MissionReply.extend({
    idempotent: z.literal(true).optional().describe("Set when the mission is in the phase already."),
  }),
});
