import { isoTime } from "claw-contract";
import { askBus, tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";

export const handler = handle("wave complete", {
  run: async ({ wave, summary, commits = [], regressionClean, dryRun }, ports) => {
    if (dryRun) {
      await askBus(ports, "wave.status", { waveId: wave });
      return {
        wave,
        completed_at: null,
        harvested: 0,
        effect: "would_update",
        would_affect: [`wave.${wave}.complete`],
      };
    }
    const fields = { waveId: wave, summary, commits, regressionClean };
    const { completedAt, harvested } = await tellBus(ports, "wave.complete", fields);
    return { wave, completed_at: completedAt === null ? null : isoTime(completedAt), harvested, effect: "updated" };
  },
  show: ({ wave, harvested, effect }) =>
    effect === "would_update"
      ? `Would end wave ${wave}`
      : `Wave ${wave} is complete; it had ${plural(harvested, "terminal")}`,
});
