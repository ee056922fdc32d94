import { findDaemon } from "../../daemon/index.ts";
import { handle } from "../runtime/handle.ts";
import { pairs } from "../text/text-layout.ts";
import { readService } from "./service-file.ts";
import { serviceState } from "./service-manager.ts";
import { planService, startCommands } from "./service-plan.ts";
import { showNext } from "./service-text.ts";

const yesNo = (value: boolean | null): string => (value === null ? "unknown" : value ? "yes" : "no");

export const handler = handle("service status", {
  run: async ({ manager: named }, ports) => {
    const service = planService(named, ports);
    const { manager, name, path } = service;
    const text = readService(service);
    const current = text === service.text;
    const state = await serviceState(service, ports);
    const isDaemonRunning = findDaemon(ports.cwd) !== undefined;
    const next = current
      ? state.active === true
        ? []
        : startCommands(service, isDaemonRunning)
      : ["claw service install"];
    return { manager, name, path, ...state, installed: text !== undefined, current, next };
  },
  show: (output, paint) => {
    const { name, path, installed, current, enabled, active } = output;
    const state = installed
      ? current
        ? "installed"
        : "installed, of another version of claw or other flags"
      : "not installed";
    const rows = [
      ["service", `${name}, ${state}`],
      ["file", path],
      ["enabled", yesNo(enabled)],
      ["active", yesNo(active)],
    ] as const;
    return [pairs(rows, paint), ...showNext("Next:", output, paint)].join("\n");
  },
});
