import { setTimeout as delay } from "node:timers/promises";
import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { objectOf } from "claw-contract";
import { declaresTasks, TASKS_CAPABILITY } from "../../../packages/claw/src/mcp/layer/tasks/task.ts";
import type { ToolAnswer, McpToolCall, ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";
import { elicitation, fixtureTool, text } from "./fixture-tool.ts";
import type { TaskWork } from "./memory-tasks.ts";
import { MemoryTasks } from "./memory-tasks.ts";

/** The tasks of the fixture tools. */
export const FIXTURE_TASKS = new MemoryTasks();

const result = (said: string, more: JsonObject = {}): JsonObject => ({
  content: [{ type: "text", text: said }],
  resultType: "complete",
  ...more,
});

const begin = (work: (task: TaskWork) => Promise<JsonObject>): ToolAnswer => ({
  kind: "task",
  task: { ...FIXTURE_TASKS.begin(work) },
});

/** A tool that is nothing but a task: a client that takes none is refused. */
const onlyTask = (name: string, run: (call: McpToolCall) => ToolAnswer): ToolDefinition =>
  fixtureTool(name, (_input, call) => {
    if (declaresTasks(call)) return run(call);
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: TASKS_CAPABILITY });
  });

async function compute({ seconds }: JsonObject, signal: AbortSignal): Promise<string> {
  await delay(Number(seconds) * 1000, undefined, { signal });
  return `Computed for ${Number(seconds)} seconds.`;
}

/** The question has a key of its own in each task. */
const question = (name: string): Readonly<Record<string, JsonObject>> => ({
  [name]: elicitation("Your name?", "name"),
});

const nameIn = (answer: unknown): string => String(objectOf(objectOf(answer)["content"])["name"]);

/** Tools that go on as tasks. */
export const TASK_TOOLS: readonly ToolDefinition[] = [
  fixtureTool("greet", ({ name }) => text(`Hello, ${String(name)}!`)),
  fixtureTool("slow_compute", async (input, call) =>
    declaresTasks(call)
      ? begin(async ({ signal }) => result(await compute(input, signal)))
      : text(await compute(input, call.signal)),
  ),
  onlyTask("failing_job", () => begin(() => Promise.resolve(result("The job failed.", { isError: true })))),
  onlyTask("protocol_error_job", () => begin(() => Promise.reject(new Error("The job broke.")))),
  onlyTask("confirm_delete", () =>
    begin(async ({ ask }) => result(`Confirmed: ${JSON.stringify(await ask(question("confirm")))}`)),
  ),
  onlyTask("multi_input", () =>
    begin(async ({ ask }) => result(JSON.stringify(await ask({ ...question("first"), ...question("second") })))),
  ),
  onlyTask("test_tool_with_task", ({ inputResponses }) => {
    const answer = inputResponses?.["user_name"];
    if (answer === undefined) return { kind: "input-required", inputRequests: question("user_name") };
    return begin(() => Promise.resolve(result(`Hello, ${nameIn(answer)}!`)));
  }),
];
