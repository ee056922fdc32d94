import type { OldToolName } from "claw-contract";
import type { CallerRole } from "../layer/caller.ts";
import type { ToolDefinition } from "../layer/tool.ts";
import { BUS_HANDLERS } from "./old/bus-tools.ts";
import { MISSION_HANDLERS } from "./old/mission-tools.ts";
import type { OldHandler, OldHandlers } from "./old/old-tool.ts";
import { oldTool } from "./old/old-tool.ts";
import { TASK_HANDLERS } from "./old/task-tools.ts";
import { TERMINAL_HANDLERS } from "./old/terminal-tools.ts";
import { WORKER_HANDLERS } from "./old/worker-tools.ts";
import type { ToolHost } from "./tool-host.ts";
import { isForWorkers, verbTool } from "./verb-tool.ts";

const OLD_HANDLERS: OldHandlers<OldToolName> = {
  ...TERMINAL_HANDLERS,
  ...WORKER_HANDLERS,
  ...BUS_HANDLERS,
  ...MISSION_HANDLERS,
  ...TASK_HANDLERS,
};

/** Tools besides the default tools: the tools of claws 0.8, then a tool for every verb. */
export async function furtherTools(host: ToolHost, role: CallerRole): Promise<ToolDefinition[]> {
  const schemas = await import("claw-contract/schemas");
  const leads = role === "orchestrator";
  const old = (Object.keys(schemas.OLD_TOOLS) as OldToolName[])
    .filter((name) => leads || schemas.OLD_TOOLS[name].effect.leads !== true)
    .map((name) => oldTool(name, OLD_HANDLERS[name] as OldHandler<OldToolName>, host, schemas));
  const verbs = Object.values(schemas.VERBS)
    .filter((verb) => leads || isForWorkers(verb, host.isGuest))
    .map((verb) => verbTool(verb, host, schemas));
  return [...old, ...verbs];
}
