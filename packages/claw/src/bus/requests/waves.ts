import type { ReplyFields } from "claw-contract";
import { parseObject, textsOf } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import type { BusContext } from "../bus-context.ts";
import type { Peer } from "../peers/peer.ts";
import type { Wave } from "../state/wave.ts";
import type { RequestDecision } from "./decide.ts";
import { decideAndStore, decided } from "./decide.ts";
import type { Refused } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

/** Starts a wave. An existing wave stays unchanged. */
export const handleCreateWave = handleRequest("wave.create", ({ context, peer, request }, done) => {
  const { waveId, manifest } = request;
  const { id: peerId = "unknown", name: peerName = "unknown", terminalId } = peer ?? {};
  const decide = () => {
    const known = context.state.waves.get(waveId);
    const startedAt = known?.createdAt ?? context.now();
    const shown = known === undefined ? { layers: textsOf(request.layers), manifest } : shownOf(known);
    const payload = { waveId, peerName, ...shown, started_at: new Date(startedAt).toISOString(), peerId, terminalId };
    return decided([{ topic: `wave.${waveId}.lead.boot`, payload }], () => ({
      waveId,
      createdAt: context.state.waves.get(waveId)?.createdAt ?? startedAt,
    }));
  };
  return decideAndStore(context, { key: `wave ${waveId}`, decide }, done);
});

const shownOf = ({ layers, members }: Wave) => ({ layers, manifest: [...members.keys()] });

const LEAD = "lead";

/** The terminal opened last for a part in a wave, for a member that has not yet named its terminal. */
const openedFor = ({ state }: BusContext, { waveId }: Wave, part: string): string | null =>
  state.terminals.ofWave(waveId).findLast(({ waveRole }) => waveRole === part)?.terminalId ?? null;

const leadTerminalOf = (context: BusContext, wave: Wave): string | null =>
  wave.leadTerminalId ?? openedFor(context, wave, LEAD);

function describeWave(context: BusContext, wave: Wave): ReplyFields<"wave.status"> {
  const { members, completedAt, leadPeerId, leadPeerName, leadTerminalId: _said, ...rest } = wave;
  const leadTerminalId = leadTerminalOf(context, wave);
  const lead = context.peers.get(leadPeerId);
  const status = completedAt === null ? "active" : "complete";
  const lastSeenMs = lead?.lastSeen ?? members.get(LEAD)?.lastHeartbeatMs ?? wave.createdAt;
  const subWorkers = [...members.values()].map(({ watched: _watched, terminalId, ...member }) => ({
    ...member,
    terminalId: terminalId ?? openedFor(context, wave, member.role),
  }));
  return {
    ...rest,
    leadPeerId,
    leadPeerName,
    leadTerminalId,
    completedAt,
    complete: completedAt !== null,
    lead: {
      peerId: leadPeerId,
      peerName: leadPeerName,
      terminalId: leadTerminalId,
      status,
      lastSeenMs,
    },
    subWorkers,
    subWorkerTerminals: terminalsOf(context, wave),
  };
}

/** Terminals of all members except the lead: terminals the members named, and terminals opened for the wave. */
function terminalsOf(context: BusContext, wave: Wave): string[] {
  const named = [...wave.members.values()].flatMap(({ terminalId }) => terminalId ?? []);
  const opened = context.state.terminals.ofWave(wave.waveId).filter(({ waveRole }) => waveRole !== LEAD);
  const all = new Set([...named, ...opened.map(({ terminalId }) => terminalId)]);
  const lead = leadTerminalOf(context, wave);
  if (lead !== null) all.delete(lead);
  return [...all];
}

const noWave = (request: string, waveId: string): Refused =>
  error(`${request}:not-found:${waveId}`, { code: "WAVE_NOT_FOUND", message: `there is no wave ${waveId}` });

export const handleShowWave = handleRequest("wave.status", ({ context, request: { waveId } }, done) => {
  const wave = context.state.waves.get(waveId);
  return done(wave === undefined ? noWave("wave.status", waveId) : ok(describeWave(context, wave)));
});

/** Closes a terminal, on its machine. Resolves with whether it was open. */
async function closeTerminal(context: BusContext, terminalId: string, peer: Peer | undefined): Promise<boolean> {
  const machine = context.state.terminals.get(terminalId)?.machine;
  if (peer === undefined || machine === undefined || machine === context.log.machine) {
    return context.terminals.close(terminalId, "orchestrator");
  }
  const request = { cmd: "close", terminalId, close_origin: "orchestrator" };
  const frame = await context.routing.forward(machine, { name: "close", peer, request, line: undefined });
  const { ok: isDone, alreadyClosed, error: why } = parseObject(frame) ?? {};
  if (isDone !== true) context.report(`terminal ${terminalId} of machine ${machine} was not closed: ${String(why)}`);
  return isDone === true && alreadyClosed !== true;
}

/** Closes the terminals of a wave's members and says which were still open. */
async function harvest(context: BusContext, wave: Wave, peer: Peer | undefined): Promise<void> {
  const terminals = terminalsOf(context, wave);
  const outcomes = await Promise.allSettled(terminals.map((id) => closeTerminal(context, id, peer)));
  const closed = terminals.filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.status === "fulfilled" && outcome.value;
  });
  const already = terminals.filter((id) => !closed.includes(id));
  const { waveId } = wave;
  const counts = { orphaned_count: closed.length, closed_terminals: closed, already_closed: already };
  const payload = { waveId, ...counts, ts: context.timestamp() };
  appendEvents(context, [{ topic: `wave.${waveId}.harvested`, payload }], () => undefined);
}

/** The lead may complete a wave. When the lead has left, any orchestrator may. */
function mayComplete({ peers }: BusContext, { leadPeerId }: Wave, peer: Peer | undefined): boolean {
  if (leadPeerId === (peer?.id ?? "unknown")) return true;
  return peer?.role === "orchestrator" && !peers.has(leadPeerId);
}

/** Why a peer may not complete a wave; undefined when it may. */
function refuseCompletion(context: BusContext, wave: Wave, peer: Peer | undefined): Refused | undefined {
  const { waveId, completedAt } = wave;
  const notLead = "wave.complete:not-lead — only the LEAD peer may complete a wave";
  if (!mayComplete(context, wave, peer)) return error(notLead);
  if (completedAt === null) return undefined;
  return error(`wave.complete:already-complete:${waveId}`, { message: `wave ${waveId} is complete already` });
}

/** Completes a wave, then closes the terminals of its members. */
export const handleCompleteWave = handleRequest("wave.complete", ({ context, peer, request }, done) => {
  const { waveId, regressionClean = false, summary } = request;
  const decide = (): RequestDecision<ReplyFields<"wave.complete">> | Refused => {
    const wave = context.state.waves.get(waveId);
    if (wave === undefined) return noWave("wave.complete", waveId);
    const refusal = refuseCompletion(context, wave, peer);
    if (refusal !== undefined) return refusal;
    const commits = textsOf(request.commits);
    const payload = { waveId, status: "ok", commits, regression_clean: regressionClean, summary };
    return decided([{ topic: `wave.${waveId}.complete`, payload }], () => ({
      waveId,
      completedAt: context.state.waves.get(waveId)?.completedAt ?? null,
      harvested: terminalsOf(context, wave).length,
    }));
  };
  return decideAndStore(context, { key: `wave ${waveId}`, decide }, (outcome) => {
    done(outcome);
    const wave = context.state.waves.get(waveId);
    if (outcome.kind === "ok" && wave !== undefined) void harvest(context, wave, peer);
  });
});
