import { askBus, isoTime } from "../ask-bus.ts";
import { handle } from "../handle.ts";
import { table } from "../text-layout.ts";

interface WireMember {
  readonly role: string;
  readonly peerId: string | null;
  readonly peerName: string | null;
  readonly terminalId: string | null;
  readonly complete: boolean;
}

interface WireWave {
  readonly complete: boolean;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly summary?: string | null;
  readonly layers: string[];
  readonly lead: { readonly peerId: string; readonly peerName: string; readonly terminalId: string | null };
  readonly subWorkers: readonly WireMember[];
}

const memberOf = ({ role, peerId, peerName, terminalId, complete }: WireMember) => ({
  role,
  peer_id: peerId ?? null,
  name: peerName ?? null,
  terminal_id: terminalId ?? null,
  complete,
});

export const handler = handle("wave status", {
  run: async ({ wave }, ports) => {
    const told = (await askBus(ports, "wave.status", { waveId: wave })) as unknown as WireWave;
    const { lead, completedAt, layers } = told;
    return {
      wave,
      complete: told.complete,
      created_at: isoTime(told.createdAt),
      completed_at: completedAt === null ? null : isoTime(completedAt),
      summary: told.summary ?? null,
      layers,
      lead: { peer_id: lead.peerId, name: lead.peerName, terminal_id: lead.terminalId },
      members: told.subWorkers.map(memberOf),
    };
  },
  show: ({ wave, complete, members }, paint) => {
    const rows = members.map(({ role, name, complete: done }) => [role, name ?? "", done ? "complete" : "open"]);
    return `Wave ${wave} is ${complete ? "complete" : "open"}\n${table(["ROLE", "NAME", "STATE"], rows, paint)}`;
  },
});
