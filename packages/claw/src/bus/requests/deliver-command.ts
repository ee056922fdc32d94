import type { ReplyFields } from "claw-contract";
import { isTopic } from "claw-contract";
import { PUBLISH_FORBIDDEN, readEvent } from "claw-contract/schemas";
import { isSubscribed } from "../delivery/direct-push.ts";
import type { Gated } from "../publish/gates.ts";
import { actionOf, overCap, passRate } from "../publish/gates.ts";
import { COMMAND_ACCEPTED } from "../state/deliveries.ts";
import { store, storageCode, WRITE_FAILED } from "../publish/store-event.ts";
import { decideAndStore, decideEvent } from "./decide.ts";
import type { Done, RequestOutcome, RequestCall } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

type DeliverCall = RequestCall<"deliver-cmd">;

/** Why the sender may not send a command on the topic; undefined when it may. */
function refuseTopic({ context, peer, request: { cmdTopic } }: DeliverCall): string | undefined {
  if (!isTopic(cmdTopic) || !cmdTopic.startsWith("cmd.")) return "deliver-cmd:invalid-cmdTopic";
  return context.planOf(peer, cmdTopic).kind === "refused" ? PUBLISH_FORBIDDEN : undefined;
}

/** Stores the key and, right behind the key, the command. Then makes sure that the target gets the command. */
function deliverNow({ context, peer, request }: DeliverCall, done: Done<"deliver-cmd">): void {
  const { targetPeerId, cmdTopic, idempotencyKey, payload } = request;
  const note = { idempotencyKey, targetPeerId, cmdTopic, from: peer.id, ts: context.timestamp() };
  let noted = false;
  store(context, { topic: COMMAND_ACCEPTED, from: "server", payload: JSON.stringify(note), echo: false }, (outcome) => {
    noted = !(outcome instanceof Error);
  });
  const text = payload === undefined ? undefined : JSON.stringify(payload);
  store(context, { topic: cmdTopic, from: peer.id, payload: text, echo: false }, (outcome) => {
    if (outcome instanceof Error || !noted) return done(error(WRITE_FAILED, storageCode(outcome)));
    const { sequence } = outcome;
    const target = context.peers.get(targetPeerId);
    if (target !== undefined && !isSubscribed(target, cmdTopic)) {
      context.direct.send(target, { topic: cmdTopic, from: peer.id, payload, sequence });
    }
    return done(ok({ seq: sequence }));
  });
}

/** Asks the gates of the extensions, as if the command had been published. */
function passAdded({ context, peer, request: { cmdTopic, payload } }: DeliverCall): Gated {
  const reading = readEvent(cmdTopic, payload);
  return context.extensions.gate(peer, reading.ok ? reading.event : { topic: cmdTopic, schema: null, data: payload });
}

/** Delivers a command to one peer, once for each idempotency key. Its `seq` is its place in the log. */
export const handleDeliverCommand = handleRequest("deliver-cmd", (call, done) => {
  const { context, peer, request } = call;
  const { targetPeerId, cmdTopic, idempotencyKey, payload } = request;
  const refusal = refuseTopic(call);
  if (refusal !== undefined) return done(error(refusal));
  const taken = context.serial.run(`deliver ${idempotencyKey}`, (release) => {
    const finish = (outcome: RequestOutcome<ReplyFields<"deliver-cmd">>): void => {
      release();
      done(outcome);
    };
    const seq = context.state.deliveries.sequenceOf(idempotencyKey);
    if (seq !== undefined) return finish(ok({ duplicate: true, seq }));
    if (!context.peers.has(targetPeerId)) return finish(error(`deliver-cmd:target-not-found:${targetPeerId}`));
    const capped = overCap(context, peer, actionOf(cmdTopic, payload), targetPeerId);
    if (capped !== undefined) return finish(error(capped));
    const gated = passRate(context, peer, cmdTopic);
    if (gated.kind === "refused") return finish(error(gated.error, gated.more));
    const added = passAdded(call);
    if (added.kind === "refused") {
      gated.settle(false);
      return finish(error(added.error, added.more));
    }
    return deliverNow(call, (outcome) => {
      gated.settle(outcome.kind === "ok");
      added.settle(outcome.kind === "ok");
      finish(outcome);
    });
  });
  if (!taken) done(error("admission-control:backlog"));
  return undefined;
});

/** A worker says what it did with a delivered command. */
export const handleAcknowledgeCommand = handleRequest("cmd.ack", ({ context, peer, request }, done) => {
  const { seq, status, correlation_id: correlation } = request;
  const gated = passRate(context, peer, "cmd.ack");
  if (gated.kind === "refused") return done(error(gated.error, gated.more));
  const payload = { seq, status, workerPeerId: peer.id, correlation_id: correlation };
  const event = { topic: `cmd.${peer.id}.ack`, from: peer.id, payload };
  return decideAndStore(context, { key: `ack ${peer.id}`, decide: () => decideEvent(event) }, (outcome) => {
    gated.settle(outcome.kind === "ok");
    done(outcome);
  });
});
