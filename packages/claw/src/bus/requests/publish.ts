import { publish } from "../publish/publish.ts";
import { cursorOf } from "../delivery/subscription.ts";
import { payloadText } from "../wire/wire.ts";
import { error, handleRequest } from "./request-handler.ts";

/** A command to a role is answered with a receipt for each member. */
const TO_ROLE = "cmd.role.";

export const handlePublishEvent = handleRequest("publish", ({ context, peer, request, line }, done) => {
  const { topic, payload, echo } = request;
  const text = payloadText(line, request);
  publish(context, peer, { topic, payload, text, echo: echo === true }, (outcome) => {
    if (outcome.kind === "refused") return done(error(outcome.error, outcome.more));
    const { sequence, deliveredTo } = outcome.receipt;
    const fields = `"deliveredTo":${deliveredTo}`;
    if (!peer.capabilities.has("receipts")) return done({ kind: "receipt", fields });
    const cursor = cursorOf(context.log, sequence);
    const members = String(topic).startsWith(TO_ROLE)
      ? `,"receipts":${JSON.stringify(context.state.deliveries.receiptsOf(sequence))}`
      : "";
    return done({
      kind: "receipt",
      fields: `${fields},"sequence":${sequence},"cursor":"${cursor}","duplicate":${outcome.duplicate}${members}`,
    });
  });
});
