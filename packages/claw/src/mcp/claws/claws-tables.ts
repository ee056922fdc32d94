import type { ToolName } from "claw-contract";
import type { Ports } from "../../verbs/index.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import { taskMethods } from "../layer/tasks/task-methods.ts";
import { TASKS_EXTENSION } from "../layer/tasks/task.ts";
import type { ToolDefinition } from "../layer/tool.ts";
import { CLAWS_PROMPTS } from "./claws-prompts.ts";
import { clawsResources } from "./resources/claws-resources.ts";
import type { ToolHandler } from "./claws-tool.ts";
import { clawsTool } from "./claws-tool.ts";
import { toolFailure } from "./failure.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { DEFAULT_FACES, LEAD_TOOLS } from "./tool-faces.generated.ts";
import type { ToolHost } from "./tool-host.ts";
import { answerTool, approvalsTool } from "./tools/approvals.ts";
import { budgetTool } from "./tools/budget.ts";
import { diffTool } from "./tools/diff.ts";
import { doneTool } from "./tools/done.ts";
import { eventsTool } from "./tools/events.ts";
import { logTool } from "./tools/log.ts";
import { publishTool } from "./tools/publish.ts";
import { runTool } from "./tools/run.ts";
import { controlTool, reviewTool, sendTool } from "./tools/steer.ts";
import { waitTool } from "./tools/wait.ts";
import { showTool, workersTool } from "./tools/workers.ts";

/** The handlers of the default tools. */
const HANDLERS: { readonly [N in ToolName]: ToolHandler<N> } = {
  claws_run: runTool,
  claws_wait: waitTool,
  claws_workers: workersTool,
  claws_show: showTool,
  claws_log: logTool,
  claws_diff: diffTool,
  claws_approvals: approvalsTool,
  claws_answer: answerTool,
  claws_send: sendTool,
  claws_control: controlTool,
  claws_review: reviewTool,
  claws_publish: publishTool,
  claws_events: eventsTool,
  claws_budget: budgetTool,
  claws_done: doneTool,
};

/** The default tools, in the order of the contract. */
const defaultTools = (host: ToolHost): ToolDefinition[] =>
  DEFAULT_FACES.map(({ name }) =>
    clawsTool(name as ToolName, host, HANDLERS[name as ToolName] as ToolHandler<ToolName>),
  );

/** What claw offers to the agent of one connection. */
export function clawsTables(host: ToolHost, { toolVersion, redactor }: Ports): McpTables {
  return {
    server: { name: "claws", title: "claw", version: toolVersion },
    instructions: INSTRUCTIONS,
    tools: async ({ role }) => {
      const listed = defaultTools(host).filter(({ name }) => role === "orchestrator" || !LEAD_TOOLS.has(name));
      if (host.choices.tools === "default") return listed;
      const { furtherTools } = await import("./all-tools.ts");
      return [...listed, ...(await furtherTools(host, role))];
    },
    resources: clawsResources(host, redactor),
    prompts: CLAWS_PROMPTS,
    failure: (error) => toolFailure(error, redactor),
    methods: taskMethods(host.tasks),
    capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  };
}
