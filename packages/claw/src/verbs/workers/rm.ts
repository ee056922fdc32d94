import { handle } from "../runtime/handle.ts";
import { onBus } from "../bus/ask-bus.ts";

export const handler = handle("rm", {
  run: async ({ worker, dryRun }, ports) => {
    return onBus(ports, async (bus) => {
      const { peerId, name, paths } = await bus.request("worker.remove", { worker, dryRun });
      return {
        peer_id: peerId,
        name,
        paths,
        effect: dryRun ? ("would_delete" as const) : ("deleted" as const),
        ...(dryRun ? { would_affect: paths } : {}),
      };
    });
  },
  show: ({ name, peer_id: id, paths, effect }, paint) => {
    const head = `${effect === "deleted" ? "Removed" : "Would remove"} ${paint.bold(name)} ${paint.dim(`(${id})`)}`;
    return [head, ...paths.map((path) => `  ${paint.dim(path)}`)].join("\n");
  },
});
