import { findDaemon } from "../../daemon/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { readService, writeService } from "./service-file.ts";
import { serviceState, verifyService } from "./service-manager.ts";
import type { Service } from "./service-plan.ts";
import { planService, startCommands } from "./service-plan.ts";
import { showNext } from "./service-text.ts";

type Effect = "created" | "updated" | "noop" | "would_create" | "would_update";

function effectOf(service: Service, dryRun: boolean): Effect {
  const before = readService(service);
  if (before === service.text) return "noop";
  if (before === undefined) return dryRun ? "would_create" : "created";
  return dryRun ? "would_update" : "updated";
}

const isWritten = (effect: Effect): boolean => effect === "created" || effect === "updated";

async function install(service: Service, dryRun: boolean, ports: Ports) {
  const effect = effectOf(service, dryRun);
  if (isWritten(effect)) writeService(service, ports);
  const { manager, name, path, text } = service;
  const { reachable } = await serviceState(service, ports);
  return {
    manager,
    name,
    path,
    text,
    reachable,
    verified: dryRun ? null : await verifyService(service, ports),
    next: startCommands(service, findDaemon(ports.cwd) !== undefined),
    effect,
    ...(dryRun ? { would_affect: effect === "noop" ? [] : [path] } : {}),
  };
}

const WORDS = {
  created: "Wrote",
  updated: "Changed",
  noop: "As it was:",
  would_create: "Would write",
  would_update: "Would change",
};

export const handler = handle("service install", {
  run: ({ manager, dryRun }, ports) => install(planService(manager, ports), dryRun, ports),
  show: (output, paint) => {
    const { effect, path, text, verified } = output;
    const isPlan = effect.startsWith("would_");
    const checked = verified === true ? ", checked by the service manager" : "";
    return [
      `${WORDS[effect as Effect]} ${path}${checked}`,
      ...(isPlan ? ["", text.trimEnd(), ""] : []),
      ...showNext("Start it with:", output, paint),
    ].join("\n");
  },
});
