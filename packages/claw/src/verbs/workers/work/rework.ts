import { handle } from "../../runtime/handle.ts";
import { onBus } from "../../bus/ask-bus.ts";

export const handler = handle("rework", {
  run: async ({ worker, reason, dryRun }, ports) => {
    return onBus(ports, async (bus) => {
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
    });
  },
  show: ({ name, reason, effect }, paint) =>
    `${effect === "updated" ? "Sent back" : "Would send back"} ${paint.bold(name)}: ${reason}`,
});
