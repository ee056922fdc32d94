import { handle } from "../../runtime/handle.ts";
import { openOrchestrator } from "../../bus/open-bus.ts";

export const handler = handle("rework", {
  run: async ({ worker, reason, dryRun }, ports) => {
    const bus = await openOrchestrator(ports);
    try {
      const reply = await bus.request("worker.rework", { worker, reason, dryRun });
      const { peerId, name } = reply;
      return {
        peer_id: peerId,
        name,
        completion: "rework" as const,
        reason,
        effect: dryRun ? ("would_update" as const) : ("updated" as const),
        ...(dryRun ? { would_affect: [peerId] } : {}),
      };
    } finally {
      await bus.close();
    }
  },
  show: ({ name, reason, effect }, paint) =>
    `${effect === "updated" ? "Sent back" : "Would send back"} ${paint.bold(name)}: ${reason}`,
});
