import * as z from "zod";
import { ANY_PEER, defineRequest, refusedAs } from "../../define-request.ts";

export const unsubscribeRequest = defineRequest({
  name: "unsubscribe",
  summary: "Closes a subscription.",
  from: ANY_PEER,
  effect: "write",
  request: z.object({ subscriptionId: refusedAs(z.string(), "subscription not found") }),
  reply: z.object({}),
});
