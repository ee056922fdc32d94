import type { ToolName, ToolSet } from "claw-contract";
import type { Ports } from "../../verbs/index.ts";
import type { CallerRole } from "../layer/caller.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import { taskMethods } from "../layer/tasks/task-methods.ts";
import type { ToolDefinition } from "../layer/tool.ts";
import { CLAWS_PROMPTS } from "./claws-prompts.ts";
import { clawsResources } from "./resources/claws-resources.ts";
import type { ToolHandler } from "./claws-tool.ts";
import { clawsTool } from "./claws-tool.ts";
import { toolFailure } from "./failure.ts";
import { clawsFace, EXTENSIONS } from "./claws-face.ts";
import { DEFAULT_FACES, LEAD_TOOLS } from "./tool-faces.generated.ts";
import type { ToolHost } from "./tool-host.ts";
import { handleAnswer, handleApprovals } from "./tools/approvals.ts";
import { handleBudget } from "./tools/budget.ts";
import { handleDiff } from "./tools/diff.ts";
import { handleDone } from "./tools/done.ts";
import { handleEvents } from "./tools/events.ts";
import { handleLog } from "./tools/log.ts";
import { handlePublish } from "./tools/publish.ts";
import { handleRun } from "./tools/run.ts";
import { handleControl, handleReview, handleSend } from "./tools/steer.ts";
import { handleWait } from "./tools/wait.ts";
import { handleShow, handleWorkers } from "./tools/workers.ts";

/** The handlers of the default tools. */
const HANDLERS: { readonly [N in ToolName]: ToolHandler<N> } = {
  claws_run: handleRun,
  claws_wait: handleWait,
  claws_workers: handleWorkers,
  claws_show: handleShow,
  claws_log: handleLog,
  claws_diff: handleDiff,
  claws_approvals: handleApprovals,
  claws_answer: handleAnswer,
  claws_send: handleSend,
  claws_control: handleControl,
  claws_review: handleReview,
  claws_publish: handlePublish,
  claws_events: handleEvents,
  claws_budget: handleBudget,
  claws_done: handleDone,
};

/** The default tools, in the order of the contract. */
const defaultTools = (host: ToolHost): ToolDefinition[] =>
  DEFAULT_FACES.map(({ name }) =>
    clawsTool(name as ToolName, host, HANDLERS[name as ToolName] as ToolHandler<ToolName>),
  );

/** What each role sees: an observer tools that only read, and a worker those that need no lead's rights. */
const SEEN: Readonly<Record<CallerRole, (tool: ToolDefinition) => boolean>> = {
  orchestrator: () => true,
  worker: ({ name }) => !LEAD_TOOLS.has(name),
  observer: ({ name, annotations }) => annotations.readOnlyHint && !LEAD_TOOLS.has(name),
};

/** Tools, resources and prompts for the agent of a connection. */
export function clawsTables(
  host: ToolHost,
  { toolVersion, redactor }: Ports,
  tools: ToolSet = host.choices.tools,
): McpTables {
  return {
    ...clawsFace(toolVersion),
    tools: async ({ role }) => {
      const listed = defaultTools(host).filter(SEEN[role]);
      if (tools === "default") return listed;
      const { furtherTools } = await import("./all-tools.ts");
      return [...listed, ...(await furtherTools(host, role)).filter(SEEN[role])];
    },
    resources: clawsResources(host, redactor),
    prompts: CLAWS_PROMPTS,
    failure: (error) => toolFailure(error, redactor),
    methods: taskMethods(host.tasks),
    capabilities: EXTENSIONS,
  };
}
