import { parseCommand } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import { numberCommand } from "../compat/compat.ts";
import { BROADCAST_TOPIC, roleOf, targetsOf, tellTargets } from "../delivery/tell-targets.ts";
import { overCap, passRate } from "../publish/gates.ts";
import { storageCode, WRITE_FAILED } from "../publish/store-event.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

/** Commands that stop a worker when typed. Stopping costs no money: the budget cap lets them pass. */
const STOPPING: ReadonlySet<string> = new Set(["abort", "pause", "reject"]);

/** The action that typing a text amounts to, for the budget check: a stopping command, or `inject_text`. */
function typedAction(text: string): string {
  const { action = "" } = parseCommand(text) ?? {};
  return STOPPING.has(action) ? action : "inject_text";
}

/**
 * Sends a text to every peer of a role, subscribed or not. With `inject`, also types the text into the peers'
 * terminals.
 */
export const handleBroadcast = handleRequest("broadcast", ({ context, peer, request }, done) => {
  const { text: said, peerId, inject } = request;
  const targets = targetsOf(context, request);
  if (peerId !== undefined && targets.length === 0) return done(error(`peer not found: ${peerId}`));
  const capped = inject === true ? overCap(context, peer, typedAction(said), peerId) : undefined;
  if (capped !== undefined) return done(error(capped));
  const gated = passRate(context, peer, BROADCAST_TOPIC);
  if (gated.kind === "refused") return done(error(gated.error, gated.more));
  const text = inject === true ? numberCommand(context, said) : said;
  // The daemons of other machines tell their own peers.
  const others =
    context.log.machine === undefined || peerId !== undefined ? {} : { targetRole: roleOf(request), inject };
  const event = { topic: BROADCAST_TOPIC, from: peer.id, payload: { text, ...others }, echo: true };
  return appendEvents(context, [event], (outcome) => {
    gated.settle(!(outcome instanceof Error));
    if (outcome instanceof Error) return done(error(WRITE_FAILED, storageCode(outcome)));
    const told = { text, from: peer.id, inject: inject === true };
    return void (async () => done(ok(await tellTargets(context, targets, told))))();
  });
});
