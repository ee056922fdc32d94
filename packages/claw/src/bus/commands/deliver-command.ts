import { isTopic, LIMITS } from "@claw/contract";
import { PUBLISH_FORBIDDEN, readEvent } from "@claw/contract/schemas";
import { isSubscribed } from "../delivery/direct-push.ts";
import type { Gated } from "../publish/gates.ts";
import { actionOf, overCap, passRate } from "../publish/gates.ts";
import { textOf } from "../wire/read-payload.ts";
import { COMMAND_ACCEPTED } from "../state/deliveries.ts";
import { store } from "../publish/store-event.ts";
import { storageCode, WRITE_FAILED } from "../publish/write-failed.ts";
import type { CommandResult, PeerCall } from "./command.ts";
import { error, ok, peerCommand } from "./command.ts";
import { decideAndStore, decideEvent } from "./decide.ts";

interface Delivery {
  readonly targetPeerId: string;
  readonly cmdTopic: string;
  readonly key: string;
  readonly payload: unknown;
}

/** Reads the request, or says what is wrong with it. */
function readDelivery({ context, peer, request }: PeerCall): Delivery | string {
  const { payload } = request;
  const targetPeerId = textOf(request["targetPeerId"]);
  const cmdTopic = textOf(request["cmdTopic"]);
  const key = textOf(request["idempotencyKey"]);
  if (targetPeerId === undefined) return "deliver-cmd:missing-targetPeerId";
  if (cmdTopic === undefined) return "deliver-cmd:missing-cmdTopic";
  if (key === undefined) return "deliver-cmd:missing-idempotencyKey";
  if (key.length > LIMITS.idempotencyKeyLength) return "deliver-cmd:invalid-idempotencyKey";
  if (!isTopic(cmdTopic) || !cmdTopic.startsWith("cmd.")) return "deliver-cmd:invalid-cmdTopic";
  if (context.planOf(peer, cmdTopic).kind === "refused") return PUBLISH_FORBIDDEN;
  return { targetPeerId, cmdTopic, key, payload };
}

/** Stores the key and, right behind the key, the command. Then makes sure that the target gets the command. */
function deliverNow({ context, peer }: PeerCall, delivery: Delivery, done: (result: CommandResult) => void): void {
  const { targetPeerId, cmdTopic, key, payload } = delivery;
  const note = { idempotencyKey: key, targetPeerId, cmdTopic, from: peer.id, ts: context.timestamp() };
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
function passAdded({ context, peer }: PeerCall, { cmdTopic, payload }: Delivery): Gated {
  const reading = readEvent(cmdTopic, payload);
  return context.extensions.gate(peer, reading.ok ? reading.event : { topic: cmdTopic, schema: null, data: payload });
}

/** Delivers a command to one peer, once for each idempotency key. Its `seq` is its place in the log. */
export const deliverCommand = peerCommand(["orchestrator"], (call, done) => {
  const { context, peer } = call;
  const delivery = readDelivery(call);
  if (typeof delivery === "string") return done(error(delivery));
  const taken = context.serial.run(`deliver ${delivery.key}`, (release) => {
    const finish = (result: CommandResult): void => {
      release();
      done(result);
    };
    const seq = context.state.deliveries.sequenceOf(delivery.key);
    if (seq !== undefined) return finish(ok({ duplicate: true, seq }));
    if (!context.peers.has(delivery.targetPeerId)) {
      return finish(error(`deliver-cmd:target-not-found:${delivery.targetPeerId}`));
    }
    const capped = overCap(context, peer, actionOf(delivery.cmdTopic, delivery.payload), delivery.targetPeerId);
    if (capped !== undefined) return finish(error(capped));
    const gated = passRate(context, peer, delivery.cmdTopic);
    if (gated.kind === "refused") return finish(error(gated.error, gated.more));
    const added = passAdded(call, delivery);
    if (added.kind === "refused") {
      gated.settle(false);
      return finish(error(added.error, added.more));
    }
    return deliverNow(call, delivery, (result) => {
      gated.settle(result.kind === "ok");
      added.settle(result.kind === "ok");
      finish(result);
    });
  });
  if (!taken) done(error("admission-control:backlog"));
  return undefined;
});

/** A worker says what it did with a delivered command. */
export const acknowledgeCommand = peerCommand(["worker"], ({ context, peer, request }, done) => {
  const { seq, status } = request;
  const correlation = textOf(request["correlation_id"]);
  const gated = passRate(context, peer, "cmd.ack");
  if (gated.kind === "refused") return done(error(gated.error, gated.more));
  const payload = { seq, status, workerPeerId: peer.id, correlation_id: correlation };
  const event = { topic: `cmd.${peer.id}.ack`, from: peer.id, payload };
  return decideAndStore(context, { key: `ack ${peer.id}`, decide: () => decideEvent(event) }, (result) => {
    gated.settle(result.kind === "ok");
    done(result);
  });
});
