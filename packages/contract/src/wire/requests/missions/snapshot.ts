import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { MissionReply } from "./mission-state.ts";

export const showMissionRequest = defineRequest({
  name: "lifecycle.snapshot",
  summary: "Shows the mission; null before the first plan.",
  from: "any client",
  effect: "read",
  request: z.object({}),
  reply: MissionReply,
});
