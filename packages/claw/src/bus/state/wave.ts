import { nonEmptyText, textsOf } from "claw-contract";
import type { CommittedEvent } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";

export interface WaveMember {
  readonly role: string;
  readonly peerId: string | null;
  readonly peerName: string | null;
  readonly terminalId: string | null;
  readonly lastHeartbeatMs: number;
  readonly complete: boolean;
  /**
   * Whether the bus would report the member's silence: the member is here, and the present silence is not yet reported.
   */
  readonly watched: boolean;
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

const EMPTY_SEAT = { peerId: null, peerName: null, terminalId: null, complete: false, watched: false };

export function createdWave(waveId: string, { payload, tsServer }: CommittedEvent): Wave {
  const fields = fieldsOf(payload);
  const createdAt = Date.parse(tsServer);
  const members = textsOf(fields["manifest"]).map(
    (role) => [role, { role, ...EMPTY_SEAT, lastHeartbeatMs: createdAt }] as const,
  );
  return {
    waveId,
    layers: textsOf(fields["layers"]),
    leadPeerId: nonEmptyText(fields["peerId"]) ?? "unknown",
    leadPeerName: nonEmptyText(fields["peerName"]) ?? "unknown",
    leadTerminalId: nonEmptyText(fields["terminalId"]) ?? null,
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

export function withMember(wave: Wave, role: string, change: Partial<WaveMember>): Wave {
  const member = wave.members.get(role);
  if (member === undefined) return wave;
  return { ...wave, members: new Map(wave.members).set(role, { ...member, ...change }) };
}

/** A wave after an event of the server about the wave. */
export function evolveWave(wave: Wave, kind: string, { payload, tsServer }: CommittedEvent): Wave {
  const fields = fieldsOf(payload);
  const at = Date.parse(tsServer);
  if (kind === "violation") return withMember(wave, String(fields["subWorker"]), { watched: false });
  if (kind === "harvested") return { ...wave, harvestedAt: at, orphanedTerminals: textsOf(fields["closed_terminals"]) };
  // Logs of older versions tell of the end in the lead's name.
  if (kind !== "complete" && kind !== "lead.complete") return wave;
  const { summary, commits, regression_clean: clean } = fields;
  return {
    ...wave,
    completedAt: at,
    summary: nonEmptyText(summary) ?? null,
    commits: textsOf(commits),
    regressionClean: typeof clean === "boolean" ? clean : null,
  };
}
