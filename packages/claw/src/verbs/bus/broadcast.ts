import { tellBus } from "./ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "./open-bus.ts";
import { plural } from "../text/text-layout.ts";

export const handler = handle("broadcast", {
  run: async ({ text, to, inject, dryRun }, ports) => {
    if (dryRun) {
      requireDaemon(ports);
      const affected = ["system.broadcast"];
      return { delivered_to: 0, injected: 0, queued: 0, effect: "would_create", would_affect: affected };
    }
    const {
      deliveredTo,
      injected = 0,
      queued = 0,
    } = await tellBus(ports, "broadcast", { text, targetRole: to, inject });
    return { delivered_to: deliveredTo, injected, queued, effect: "created" };
  },
  show: ({ delivered_to, injected, queued, effect }) => {
    if (effect === "would_create") return "Would say it to them";
    const typed = injected + queued === 0 ? "" : `, typed into ${plural(injected, "terminal")}, queued for ${queued}`;
    return `Said to ${plural(delivered_to, "peer")}${typed}`;
  },
});
