import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { isObject } from "claw-contract";
import type { MethodHandler, McpRequestCall } from "../mcp-tables.ts";
import type { TaskCall, TaskStore } from "./task.ts";
import { declaresTasks, TASKS_CAPABILITY } from "./task.ts";

const COMPLETE = { resultType: "complete" } as const;

/** Longer ids are unknown in any case. */
const TASK_ID_CHARS = 1024;

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
const unknownTask = (): ProtocolError => invalid("Task not found");

/** Refuses a client that has not declared the extension on this very request. */
function requireTasks(call: TaskCall): void {
  if (call.era === "legacy") throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
  if (!declaresTasks(call)) {
    throw new MissingRequiredClientCapabilityError(
      { requiredCapabilities: TASKS_CAPABILITY },
      "Missing required client capability",
    );
  }
}

function taskIdIn({ taskId }: JsonObject): string {
  if (typeof taskId !== "string" || taskId === "") throw invalid("Invalid params: taskId is required");
  if (taskId.length > TASK_ID_CHARS) throw unknownTask();
  return taskId;
}

/** The answers of an update. The SDK takes them out of the parameters, as it does for every method. */
function responsesIn(params: JsonObject, { sdk }: McpRequestCall): JsonObject {
  const inputResponses = params["inputResponses"] ?? sdk.context.mcpReq.inputResponses;
  if (isObject(inputResponses)) return inputResponses;
  throw invalid("Invalid params: inputResponses is required");
}

/** The methods of the tasks extension over a store of tasks. */
export const taskMethods = (store: TaskStore): Readonly<Record<string, MethodHandler>> => ({
  "tasks/get": async (params, call) => {
    requireTasks(call);
    const task = await store.get(taskIdIn(params), call);
    if (task === undefined) throw unknownTask();
    return { ...task, ...COMPLETE };
  },
  "tasks/update": async (params, call) => {
    requireTasks(call);
    if (!(await store.update(taskIdIn(params), responsesIn(params, call), call))) throw unknownTask();
    return COMPLETE;
  },
  "tasks/cancel": async (params, call) => {
    requireTasks(call);
    if (!(await store.cancel(taskIdIn(params), call))) throw unknownTask();
    return COMPLETE;
  },
});
