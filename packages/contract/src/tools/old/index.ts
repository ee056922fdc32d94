import { OLD_BUS_TOOLS } from "./bus-tools.ts";
import { MISSION_TOOLS } from "./mission-tools.ts";
import { TASK_TOOLS } from "./task-tools.ts";
import { TERMINAL_TOOLS } from "./terminal-tools.ts";
import { WORKER_TOOLS } from "./worker-tools.ts";

/**
 * The tools of claws 0.8 under their old names, with their old arguments. `claws_send`, `claws_publish` and `claws_done`
 * are among the default tools, and take the old arguments too.
 */
export const OLD_TOOLS = {
  ...TERMINAL_TOOLS,
  ...WORKER_TOOLS,
  ...OLD_BUS_TOOLS,
  ...MISSION_TOOLS,
  ...TASK_TOOLS,
} as const;
