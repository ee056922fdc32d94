import { LIMITS, nonEmptyText } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import { refill } from "./projection.ts";
import type { Wave, WaveMember } from "./wave.ts";
import { createdWave, evolveWave, withMember } from "./wave.ts";

/** Waves, with the members of each wave. */
export interface Waves extends StoredProjection {
  get(waveId: string): Wave | undefined;
  open(): readonly Wave[];
}

interface WaveSeat {
  readonly waveId: string;
  readonly role: string;
}

interface Saved {
  readonly waves: readonly (Omit<Wave, "members"> & { readonly members: readonly WaveMember[] })[];
  readonly places: readonly [peerId: string, place: WaveSeat][];
}

/** The waves, and which place in which of them a peer has. */
function createRoster() {
  const waves = new Map<string, Wave>();
  const places = new Map<string, WaveSeat>();
  const change = (peerId: string, update: Partial<WaveMember>): void => {
    const place = places.get(peerId);
    const wave = place === undefined ? undefined : waves.get(place.waveId);
    if (place !== undefined && wave !== undefined) waves.set(wave.waveId, withMember(wave, place.role, update));
  };
  return {
    waves,
    places,
    change,
    join: ({ payload, tsServer }: CommittedEvent): void => {
      const { peerId, peerName, terminalId, waveId, subWorkerRole } = fieldsOf(payload);
      const [id, wave, role] = [nonEmptyText(peerId), nonEmptyText(waveId), nonEmptyText(subWorkerRole)];
      if (id === undefined || wave === undefined || role === undefined) return;
      places.set(id, { waveId: wave, role });
      const member = {
        peerId: id,
        peerName: nonEmptyText(peerName) ?? null,
        terminalId: nonEmptyText(terminalId) ?? null,
      };
      change(id, { ...member, lastHeartbeatMs: Date.parse(tsServer), watched: true });
    },
    leave: (peerId: string): void => {
      change(peerId, { watched: false });
      places.delete(peerId);
    },
    forgetOldest: (): void => {
      const closed = [...waves.values()].filter(({ completedAt }) => completedAt !== null);
      if (closed.length > LIMITS.closedRecords && closed[0] !== undefined) waves.delete(closed[0].waveId);
    },
  };
}

type Roster = ReturnType<typeof createRoster>;

/** Applies an event of a wave: from the server about the wave, or from a member about its part. */
function tell(roster: Roster, event: CommittedEvent): void {
  const { waves, places } = roster;
  const [, waveId = "", ...rest] = event.topic.split(".");
  const kind = rest.join(".");
  const wave = waves.get(waveId);
  if (event.from !== "server") {
    const place = places.get(event.from);
    if (place?.waveId === waveId && kind === `${place.role}.complete`) roster.change(event.from, { complete: true });
  } else if (kind === "joined") {
    roster.join(event);
  } else if (wave !== undefined) {
    waves.set(waveId, evolveWave(wave, kind, event));
    roster.forgetOldest();
  } else if (kind === "lead.boot") {
    waves.set(waveId, createdWave(waveId, event));
  }
}

export function createWaves(): Waves {
  const roster = createRoster();
  const { waves, places } = roster;
  return {
    patterns: ["wave.*.*", "wave.*.*.*", "system.peer.joined", "system.peer.left", "worker.*.heartbeat"],
    wants: ({ topic, from, payload }) =>
      topic.startsWith("wave.") ||
      places.has(from) ||
      topic === "system.peer.left" ||
      payload?.includes('"waveId"') === true,
    apply: (event) => {
      if (event.topic.startsWith("wave.")) return tell(roster, event);
      if (event.topic === "system.peer.joined") return roster.join(event);
      if (event.topic === "system.peer.left") return roster.leave(String(fieldsOf(event.payload)["peerId"]));
      return roster.change(event.from, { lastHeartbeatMs: Date.parse(event.tsServer), watched: true });
    },
    save: (): Saved => ({
      waves: [...waves.values()].map((wave) => ({ ...wave, members: [...wave.members.values()] })),
      places: [...places],
    }),
    load: (saved) => {
      const known = saved as Saved;
      for (const { members, ...wave } of known.waves) {
        waves.set(wave.waveId, { ...wave, members: new Map(members.map((member) => [member.role, member])) });
      }
      refill(places, known.places);
    },
    get: (waveId) => waves.get(waveId),
    open: () => [...waves.values()].filter(({ completedAt }) => completedAt === null),
  };
}
