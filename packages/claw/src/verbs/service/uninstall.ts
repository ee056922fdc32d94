import { handle } from "../runtime/handle.ts";
import { readService, removeService } from "./service-file.ts";
import { serviceState } from "./service-manager.ts";
import { planService, stopCommands } from "./service-plan.ts";
import { showNext } from "./service-text.ts";

export const handler = handle("service uninstall", {
  run: async ({ manager: named, dryRun }, ports) => {
    const service = planService(named, ports);
    const { manager, name, path } = service;
    const isThere = readService(service) !== undefined;
    const { reachable, enabled, active } = await serviceState(service, ports);
    if (isThere && !dryRun) removeService(service, ports);
    return {
      manager,
      name,
      path,
      reachable,
      next: enabled === true || active === true ? stopCommands(service) : [],
      effect: isThere ? (dryRun ? ("would_delete" as const) : ("deleted" as const)) : ("noop" as const),
      ...(dryRun ? { would_affect: isThere ? [path] : [] } : {}),
    };
  },
  show: (output, paint) => {
    const { effect, path } = output;
    if (effect === "noop") return "No service of this folder is installed.";
    const done = effect === "deleted" ? "Removed" : "Would remove";
    return [`${done} ${path}`, ...showNext("The manager still knows it. Stop it with:", output, paint)].join("\n");
  },
});
