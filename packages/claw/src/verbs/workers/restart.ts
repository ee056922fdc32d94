import { handle } from "../runtime/handle.ts";
import { onBus } from "../bus/ask-bus.ts";

export const handler = handle("restart", {
  run: async ({ worker, reason, dryRun }, ports) => {
    return onBus(ports, async (bus) => {
      const reply = await bus.request("worker.restart", { peerId: worker, reason, dryRun });
      const { peerId, name, attempt, pid } = reply;
      return {
        peer_id: peerId,
        name,
        attempt,
        pid: pid ?? null,
        effect: dryRun ? ("would_update" as const) : ("updated" as const),
        ...(dryRun ? { would_affect: [peerId] } : {}),
      };
    });
  },
  show: ({ name, peer_id: id, attempt, pid, effect }, paint) => {
    const life = `life ${attempt}`;
    if (effect !== "updated") return `Would start ${paint.bold(name)} again (${id}, ${life})`;
    return `Started ${paint.bold(name)} again ${paint.dim(`(${id}, ${life}, process ${String(pid)})`)}`;
  },
});
