import { handle } from "./handle.ts";
import { openOrchestrator } from "./open-bus.ts";

export const handler = handle("rm", {
  run: async ({ worker, dryRun }, ports) => {
    const bus = await openOrchestrator(ports);
    try {
      const reply = await bus.request("worker.remove", { worker, dryRun });
      const paths = reply["paths"] as string[];
      return {
        peer_id: String(reply["peerId"]),
        name: String(reply["name"]),
        paths,
        effect: dryRun ? ("would_delete" as const) : ("deleted" as const),
        ...(dryRun ? { would_affect: paths } : {}),
      };
    } finally {
      await bus.close();
    }
  },
  show: ({ name, peer_id: id, paths, effect }, paint) => {
    const head = `${effect === "deleted" ? "Removed" : "Would remove"} ${paint.bold(name)} ${paint.dim(`(${id})`)}`;
    return [head, ...paths.map((path) => `  ${paint.dim(path)}`)].join("\n");
  },
});
