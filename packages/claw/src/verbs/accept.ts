import { handle } from "./handle.ts";
import { openOrchestrator } from "./open-bus.ts";

export const handler = handle("accept", {
  run: async ({ worker, note, yes, dryRun }, ports) => {
    const bus = await openOrchestrator(ports);
    try {
      // Whoever only looks is told what speaks against it instead of being refused.
      const said = { force: yes || dryRun, dryRun, ...(note === undefined ? {} : { note }) };
      const reply = await bus.request("worker.accept", { worker, ...said });
      const peerId = String(reply["peerId"]);
      const effect = reply["noop"] === true ? "noop" : dryRun ? "would_update" : "updated";
      return {
        peer_id: peerId,
        name: String(reply["name"]),
        completion: "accepted" as const,
        result: reply["result"] as string | null,
        summary: reply["summary"] as string | null,
        objections: reply["objections"] as string[],
        effect,
        ...(effect === "would_update" ? { would_affect: [peerId] } : {}),
      };
    } finally {
      await bus.close();
    }
  },
  show: ({ name, summary, objections, effect }, paint) => {
    const against = objections.length === 0 ? "" : `\n${paint.yellow(`Although: ${objections.join(", ")}`)}`;
    const what = `${paint.bold(name)}: ${summary ?? ""}${against}`;
    if (effect === "noop") return `Accepted before ${what}`;
    return effect === "updated" ? `${paint.green("Accepted")} ${what}` : `Would accept ${what}`;
  },
});
