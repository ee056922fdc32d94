import { budgetTool, doneTool, eventsTool, publishTool } from "./bus-tools.ts";
import { diffTool, logTool, showTool, workersTool } from "./look-tools.ts";
import { answerTool, approvalsTool, controlTool, reviewTool, sendTool } from "./steer-tools.ts";
import { runTool, waitTool } from "./work-tools.ts";

/** The tools that the MCP server lists by default, in this order. */
export const DEFAULT_TOOLS = {
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
} as const;
