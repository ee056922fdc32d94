import { isTopic } from "@claw/contract";
import { WAVE_ROLES } from "@claw/contract/schemas";
import { appendEvents } from "../publish/append-events.ts";
import type { BusContext } from "../bus-context.ts";
import type { Peer } from "../peers/peer.ts";
import { textOf, textsOf } from "../wire/read-payload.ts";
import type { Wave } from "../state/wave.ts";
import type { Body, Command, CommandResult } from "./command.ts";
import { error, ok } from "./command.ts";
import type { Decision } from "./decide.ts";
import { decideAndStore, decided, refuse } from "./decide.ts";

const isManifest = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((role) => WAVE_ROLES.some((known) => known === role));

/** Starts a wave. An existing wave stays unchanged. */
export const createWave: Command = {
  roles: undefined,
  run: ({ context, session, request }, done) => {
    const waveId = textOf(request["waveId"]);
    const { manifest } = request;
    if (waveId === undefined) return done(error("wave.create:missing-waveId"));
    if (!isTopic(`wave.${waveId}.lead.boot`) || waveId.includes(".")) return done(error("wave.create:invalid-waveId"));
    if (!isManifest(manifest)) return done(error("wave.create:missing-manifest"));
    const { id: peerId = "unknown", name: peerName = "unknown", terminalId } = session.peer ?? {};
    const decide = (): Decision => {
      const known = context.state.waves.get(waveId);
      const started = new Date(known?.createdAt ?? context.now()).toISOString();
      const shown = known === undefined ? { layers: textsOf(request["layers"]), manifest } : shownOf(known);
      const payload = { waveId, peerName, ...shown, started_at: started, peerId, terminalId };
      return decided([{ topic: `wave.${waveId}.lead.boot`, payload }], () => ({
        waveId,
        createdAt: context.state.waves.get(waveId)?.createdAt,
      }));
    };
    return decideAndStore(context, { key: `wave ${waveId}`, decide }, done);
  },
};

const shownOf = ({ layers, members }: Wave): Body => ({ layers, manifest: [...members.keys()] });

const LEAD = "lead";

/** The terminal opened last for a part in a wave, for a member that has not yet named its terminal. */
const openedFor = ({ state }: BusContext, { waveId }: Wave, part: string): string | null =>
  state.terminals.ofWave(waveId).findLast(({ waveRole }) => waveRole === part)?.terminalId ?? null;

const leadTerminalOf = (context: BusContext, wave: Wave): string | null =>
  wave.leadTerminalId ?? openedFor(context, wave, LEAD);

function describeWave(context: BusContext, wave: Wave): Body {
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

export const showWave: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const waveId = textOf(request["waveId"]);
    if (waveId === undefined) return done(error("wave.status:missing-waveId"));
    const wave = context.state.waves.get(waveId);
    return done(
      wave === undefined
        ? error(`wave.status:not-found:${waveId}`, { code: "WAVE_NOT_FOUND", message: `there is no wave ${waveId}` })
        : ok(describeWave(context, wave)),
    );
  },
};

/** Closes the terminals of a wave's members and says which were still open. */
async function harvest(context: BusContext, wave: Wave): Promise<void> {
  const terminals = terminalsOf(context, wave);
  const outcomes = await Promise.allSettled(terminals.map((id) => context.terminals.close(id, "orchestrator")));
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

/** Completes a wave, then closes the terminals of its members. */
export const completeWave: Command = {
  roles: undefined,
  run: ({ context, session, request }, done) => {
    const waveId = textOf(request["waveId"]);
    if (waveId === undefined) return done(error("wave.complete:missing-waveId"));
    const decide = (): Decision | ReturnType<typeof refuse> => {
      const wave = context.state.waves.get(waveId);
      if (wave === undefined) {
        return refuse(`wave.complete:not-found:${waveId}`, {
          code: "WAVE_NOT_FOUND",
          message: `there is no wave ${waveId}`,
        });
      }
      if (!mayComplete(context, wave, session.peer)) {
        return refuse("wave.complete:not-lead — only the LEAD peer may complete a wave");
      }
      if (wave.completedAt !== null) {
        return refuse(`wave.complete:already-complete:${waveId}`, { message: `wave ${waveId} is complete already` });
      }
      const commits = textsOf(request["commits"]);
      const clean = request["regressionClean"] === true;
      const summary = textOf(request["summary"]);
      const payload = { waveId, status: "ok", commits, regression_clean: clean, summary };
      return decided([{ topic: `wave.${waveId}.complete`, payload }], () => ({
        waveId,
        completedAt: context.state.waves.get(waveId)?.completedAt,
        harvested: terminalsOf(context, wave).length,
      }));
    };
    return decideAndStore(context, { key: `wave ${waveId}`, decide }, (result: CommandResult) => {
      done(result);
      const wave = context.state.waves.get(waveId);
      if (result.kind === "ok" && wave !== undefined) void harvest(context, wave);
    });
  },
};
