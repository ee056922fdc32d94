import type { HarnessId, JsonObject, RunResult } from "claw-contract";
import { createRunReader } from "../stream/create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import type { ExitEvidence, RunItem, RunProgress, RunReaderOptions } from "../stream/run-reader.ts";

export const WELL: ExitEvidence = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 2500 };

export interface EventReading {
  readonly result: RunResult;
  readonly items: readonly RunItem[];
  readonly progress: RunProgress;
}

export interface Circumstances extends RunReaderOptions {
  readonly evidence?: Partial<ExitEvidence>;
}

/** Reads events as if an agent had written them, one a line. */
export function readEvents(
  harness: HarnessId,
  events: readonly JsonObject[],
  { evidence, ...options }: Circumstances = {},
): EventReading {
  const reader = createRunReader(HARNESSES[harness], options);
  const items = [...reader.push(Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join("")))];
  const progress = reader.progress();
  items.push(...reader.end());
  return { result: reader.finish({ ...WELL, ...evidence }), items, progress };
}

/** Only these fields of a result. */
export const pick = <Field extends keyof RunResult>(result: RunResult, ...fields: Field[]): Pick<RunResult, Field> =>
  Object.fromEntries(fields.map((field) => [field, result[field]])) as Pick<RunResult, Field>;

/** Frames of Claude Code. */
export const claude = {
  init: (more: JsonObject = {}): JsonObject => ({ type: "system", subtype: "init", session_id: "s-1", ...more }),
  text: (text: string, more: JsonObject = {}): JsonObject => ({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
    ...more,
  }),
  call: (name: string, input: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id: "tu_1", name, input }] },
    ...more,
  }),
  task: (subtype: string, more: JsonObject): JsonObject => ({ type: "system", subtype, task_id: "t1", ...more }),
  result: (more: JsonObject = {}): JsonObject => ({ type: "result", subtype: "success", is_error: false, ...more }),
};

/** Messages of Codex's app-server, in a conversation of its own. */
export const server = {
  started: (id = "th-1"): JsonObject => ({ method: "thread/started", params: { thread: { id, model: "m-1" } } }),
  turn: (): JsonObject => ({ method: "turn/started", params: { threadId: "th-1", turn: {} } }),
  item: (step: "started" | "completed", item: JsonObject, threadId = "th-1"): JsonObject => ({
    method: `item/${step}`,
    params: { threadId, item },
  }),
  ended: (turn: JsonObject): JsonObject => ({ method: "turn/completed", params: { threadId: "th-1", turn } }),
};
