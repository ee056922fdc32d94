import { publish } from "../publish.ts";
import { cursorOf } from "../subscription.ts";
import { ANYBODY, error, ok, peerCommand } from "./command.ts";

export const publishCommand = peerCommand(ANYBODY, ({ context, peer, request }, done) => {
  const { topic, payload, echo } = request;
  publish(context, peer, { topic, payload, echo: echo === true }, (outcome) => {
    if (outcome.kind === "refused") return done(error(outcome.error, outcome.more));
    const { sequence, deliveredTo } = outcome.receipt;
    if (!peer.capabilities.has("receipts")) return done(ok({ deliveredTo }));
    const cursor = cursorOf(context.log, sequence);
    return done(ok({ deliveredTo, sequence, cursor, duplicate: outcome.duplicate }));
  });
});
