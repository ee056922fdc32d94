import { LIMITS } from "@claw/contract";
import type { CommittedEvent, Projection } from "../projection.ts";
import { fieldsOf, textOf, textsOf } from "../read-payload.ts";

export interface WaveMember {
  readonly role: string;
  readonly peerId: string | null;
  readonly peerName: string | null;
  readonly terminalId: string | null;
  readonly lastHeartbeatMs: number;
  readonly complete: boolean;
  /** Whether its present silence was reported. */
  readonly violated: boolean;
}

export interface Wave {
  readonly waveId: string;
  readonly layers: readonly string[];
  readonly leadPeerId: string;
  readonly leadPeerName: string;
  readonly leadTerminalId: string | null;
  readonly members: ReadonlyMap<string, WaveMember>;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly summary: string | null;
  readonly commits: readonly string[];
  readonly regressionClean: boolean | null;
  readonly harvestedAt: number | null;
  readonly orphanedTerminals: readonly string[];
}

/** Waves and who takes part in them. */
export interface Waves extends Projection {
  get(waveId: string): Wave | undefined;
  open(): readonly Wave[];
}

const NOBODY = { peerId: null, peerName: null, terminalId: null, complete: false, violated: false };

function createdWave(waveId: string, { payload, tsServer }: CommittedEvent): Wave {
  const fields = fieldsOf(payload);
  const createdAt = Date.parse(tsServer);
  const members = textsOf(fields["manifest"]).map(
    (role) => [role, { role, ...NOBODY, lastHeartbeatMs: createdAt }] as const,
  );
  return {
    waveId,
    layers: textsOf(fields["layers"]),
    leadPeerId: textOf(fields["peerId"]) ?? "unknown",
    leadPeerName: textOf(fields["peerName"]) ?? "unknown",
    leadTerminalId: textOf(fields["terminalId"]) ?? null,
    members: new Map(members),
    createdAt,
    completedAt: null,
    summary: null,
    commits: [],
    regressionClean: null,
    harvestedAt: null,
    orphanedTerminals: [],
  };
}

function withMember(wave: Wave, role: string, change: Partial<WaveMember>): Wave {
  const member = wave.members.get(role);
  if (member === undefined) return wave;
  return { ...wave, members: new Map(wave.members).set(role, { ...member, ...change }) };
}

/** What the server says about a wave that it knows. */
function evolveWave(wave: Wave, kind: string, { payload, tsServer }: CommittedEvent): Wave {
  const fields = fieldsOf(payload);
  const at = Date.parse(tsServer);
  if (kind === "violation") return withMember(wave, String(fields["subWorker"]), { violated: true });
  if (kind === "harvested") return { ...wave, harvestedAt: at, orphanedTerminals: textsOf(fields["closed_terminals"]) };
  if (kind !== "lead.complete") return wave;
  const { summary, commits, regression_clean: clean } = fields;
  return {
    ...wave,
    completedAt: at,
    summary: textOf(summary) ?? null,
    commits: textsOf(commits),
    regressionClean: typeof clean === "boolean" ? clean : null,
  };
}

export function createWaves(): Waves {
  const waves = new Map<string, Wave>();
  /** Which place in which wave a peer has. */
  const places = new Map<string, { readonly waveId: string; readonly role: string }>();

  const change = (peerId: string, update: Partial<WaveMember>): void => {
    const place = places.get(peerId);
    const wave = place === undefined ? undefined : waves.get(place.waveId);
    if (place !== undefined && wave !== undefined) waves.set(wave.waveId, withMember(wave, place.role, update));
  };
  const join = ({ payload, tsServer }: CommittedEvent): void => {
    const { peerId, peerName, terminalId, waveId, subWorkerRole } = fieldsOf(payload);
    const [id, wave, role] = [textOf(peerId), textOf(waveId), textOf(subWorkerRole)];
    if (id === undefined || wave === undefined || role === undefined) return;
    places.set(id, { waveId: wave, role });
    const member = { peerId: id, peerName: textOf(peerName) ?? null, terminalId: textOf(terminalId) ?? null };
    change(id, { ...member, lastHeartbeatMs: Date.parse(tsServer), violated: false });
  };
  const forgetOldest = (): void => {
    const closed = [...waves.values()].filter(({ completedAt }) => completedAt !== null);
    if (closed.length > LIMITS.closedRecords && closed[0] !== undefined) waves.delete(closed[0].waveId);
  };
  const tell = (event: CommittedEvent): void => {
    const [, waveId = "", ...rest] = event.topic.split(".");
    const wave = waves.get(waveId);
    if (event.from !== "server") {
      const place = places.get(event.from);
      if (place?.waveId === waveId && rest.join(".") === `${place.role}.complete`) {
        change(event.from, { complete: true });
      }
    } else if (wave !== undefined) {
      waves.set(waveId, evolveWave(wave, rest.join("."), event));
      if (rest[0] === "lead") forgetOldest();
    } else if (rest.join(".") === "lead.boot") waves.set(waveId, createdWave(waveId, event));
  };
  return {
    patterns: ["wave.*.*", "wave.*.*.*", "system.peer.joined", "system.peer.left", "worker.*.heartbeat"],
    wants: ({ topic, from, payload }) =>
      topic.startsWith("wave.") ||
      places.has(from) ||
      topic === "system.peer.left" ||
      payload?.includes('"waveId"') === true,
    apply: (event) => {
      if (event.topic.startsWith("wave.")) return tell(event);
      if (event.topic === "system.peer.joined") return join(event);
      if (event.topic === "system.peer.left") return void places.delete(String(fieldsOf(event.payload)["peerId"]));
      return change(event.from, { lastHeartbeatMs: Date.parse(event.tsServer), violated: false });
    },
    get: (waveId) => waves.get(waveId),
    open: () => [...waves.values()].filter(({ completedAt }) => completedAt === null),
  };
}
