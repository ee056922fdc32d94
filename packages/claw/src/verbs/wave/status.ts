import type { ReceivedReply } from "claw-contract";
import { isoTime } from "claw-contract";
import { askBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";

type Wave = ReceivedReply<"wave.status">;

const memberOf = ({ role, peerId, peerName, terminalId, complete }: Wave["subWorkers"][number]) => ({
  role,
  peer_id: peerId,
  name: peerName,
  terminal_id: terminalId,
  complete,
});

export const handler = handle("wave status", {
  run: async ({ wave }, ports) => {
    const status = await askBus(ports, "wave.status", { waveId: wave });
    const { lead, completedAt, layers } = status;
    return {
      wave,
      complete: status.complete,
      created_at: isoTime(status.createdAt),
      completed_at: completedAt === null ? null : isoTime(completedAt),
      summary: status.summary,
      layers,
      lead: { peer_id: lead.peerId, name: lead.peerName, terminal_id: lead.terminalId },
      members: status.subWorkers.map(memberOf),
    };
  },
  show: ({ wave, complete, members }, paint) => {
    const rows = members.map(({ role, name, complete: done }) => [role, name ?? "", done ? "complete" : "open"]);
    return `Wave ${wave} is ${complete ? "complete" : "open"}\n${table(["ROLE", "NAME", "STATE"], rows, paint)}`;
  },
});
