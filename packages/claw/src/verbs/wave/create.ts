import { isoTime } from "claw-contract";
import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";

export const handler = handle("wave create", {
  run: async ({ wave, roles, layers, dryRun }, ports) => {
    if (dryRun) {
      requireDaemon(ports);
      return { wave, created_at: null, effect: "would_create", would_affect: [`wave.${wave}.lead.boot`] };
    }
    const manifest = roles ?? ["lead"];
    const { createdAt } = await tellBus(ports, "wave.create", { waveId: wave, manifest, layers });
    return { wave, created_at: isoTime(createdAt), effect: "created" };
  },
  show: ({ wave, effect }) => (effect === "would_create" ? `Would start wave ${wave}` : `Wave ${wave} runs`),
});
