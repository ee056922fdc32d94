import * as z from "zod";
import { defineRequest, refusedAs } from "../../define-request.ts";
import { MissionReply } from "./mission-state.ts";

export const reflectOnMissionRequest = defineRequest({
  name: "lifecycle.reflect",
  summary: "Ends the mission with what was learned.",
  from: "any client",
  effect: "write",
  code: "LIFECYCLE_REFUSED",
  request: z.object({
    reflect: refusedAs(z.string().regex(/\S/), {
      error: "lifecycle:reflect-empty",
      message: "nothing to reflect on was given",
    }),
  }),
  reply: MissionReply,
});
