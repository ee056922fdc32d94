import type { Ports } from "../../verbs/index.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import type { ToolDefinition } from "../layer/tool.ts";
import { clawsTool } from "./claws-tool.ts";
import { toolFailure } from "./failure.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { ToolHost } from "./tool-host.ts";
import { publishTool } from "./tools/publish.ts";
import { workersTool } from "./tools/look.ts";
import { runTool } from "./tools/run.ts";
import { waitTool } from "./tools/wait.ts";
import { TASKS_EXTENSION } from "../layer/tasks/task.ts";
import { taskMethods } from "../layer/tasks/task-methods.ts";

/** The default tools, in the order of the contract. */
const defaultTools = (host: ToolHost): readonly ToolDefinition[] => [
  clawsTool("claws_run", host, runTool),
  clawsTool("claws_wait", host, waitTool),
  clawsTool("claws_workers", host, workersTool),
  clawsTool("claws_publish", host, publishTool),
];

/** What claw offers to the agent of one connection. */
export function clawsTables(host: ToolHost, { toolVersion, redactor }: Ports): McpTables {
  return {
    server: { name: "claws", title: "claw", version: toolVersion },
    instructions: INSTRUCTIONS,
    tools: async () => defaultTools(host),
    failure: (error) => toolFailure(error, redactor),
    methods: taskMethods(host.tasks),
    capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  };
}
