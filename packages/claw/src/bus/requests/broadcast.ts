import type { ReadRequest } from "claw-contract";
import { parseCommand } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import type { BusContext } from "../bus-context.ts";
import { numberCommand } from "../compat/compat.ts";
import { isSubscribed } from "../delivery/direct-push.ts";
import { overCap, passRate } from "../publish/gates.ts";
import type { Peer } from "../peers/peer.ts";
import { typeText } from "../terminals/type-text.ts";
import { storageCode, WRITE_FAILED } from "../publish/store-event.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

const TOPIC = "system.broadcast";

/** Peers of a role, `worker` unless another or `all` is named; with a peer id, that peer alone. */
function targetsOf(context: BusContext, { targetRole, peerId }: ReadRequest<"broadcast">): Peer[] {
  const role = targetRole ?? (peerId === undefined ? "worker" : "all");
  return [...context.peers.values()].filter(
    (peer) => (role === "all" || peer.role === role) && (peerId === undefined || peer.id === peerId),
  );
}

/** Commands that stop a worker when typed. Stopping costs no money: the budget cap lets them pass. */
const STOPPING: ReadonlySet<string> = new Set(["abort", "pause", "reject"]);

/** The action that typing a text amounts to, for the budget check: a stopping command, or `inject_text`. */
function typedAction(text: string): string {
  const { action = "" } = parseCommand(text) ?? {};
  return STOPPING.has(action) ? action : "inject_text";
}

/**
 * Types a text into the peers' terminals. Resolves with how many terminals took the text, and for how many agents the
 * text waits as a command.
 */
async function injectInto(
  context: BusContext,
  peers: readonly Peer[],
  { text, from }: { readonly text: string; readonly from: string },
): Promise<{ injected: number; queued?: number }> {
  const terminals = peers.flatMap(({ terminalId }) => terminalId ?? []);
  const outcomes = await Promise.allSettled(
    terminals.map((terminalId) => typeText(context, { terminalId, text, paste: true, from })),
  );
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failed) context.report(`broadcast was not typed: ${String(reason)}`);
  const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  const queued = done.filter((how) => how === "commanded").length;
  return { injected: done.length - queued, ...(queued === 0 ? {} : { queued }) };
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
  const gated = passRate(context, peer, TOPIC);
  if (gated.kind === "refused") return done(error(gated.error, gated.more));
  const text = inject === true ? numberCommand(context, said) : said;
  const event = { topic: TOPIC, from: peer.id, payload: { text }, echo: true };
  return appendEvents(context, [event], (outcome) => {
    gated.settle(!(outcome instanceof Error));
    if (outcome instanceof Error) return done(error(WRITE_FAILED, storageCode(outcome)));
    const frame = { topic: TOPIC, from: peer.id, payload: { text } };
    const reached = targets.filter((target) => isSubscribed(target, TOPIC) || context.direct.send(target, frame));
    const deliveredTo = reached.length;
    if (inject !== true) return done(ok({ deliveredTo }));
    return void (async () =>
      done(ok({ deliveredTo, ...(await injectInto(context, targets, { text, from: peer.id })) })))();
  });
});
