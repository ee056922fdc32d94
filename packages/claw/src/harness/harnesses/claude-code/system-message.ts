import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, numberOrNull, objectOf, stringOrNull, textOf } from "claw-contract";
import { integerOf } from "../../stream/loose-values.ts";
import type { BackgroundTask, RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { remember } from "../../stores/remember.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Ends of a task before its time. */
const CUT_OFF: ReadonlySet<unknown> = new Set(["stopped", "killed", "cancelled", "canceled"]);
/** Ends of a task by itself. */
const ENDED: ReadonlySet<unknown> = new Set(["completed", "failed", "error"]);

/** An init event begins a new turn. Only the first init event can tell the source of the API key. */
function translateInit(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const first = !state.sawInit;
  state.sawInit = true;
  return [
    {
      kind: "session",
      sessionId: stringOrNull(native["session_id"]),
      model: stringOrNull(native["model"]),
      apiKeySource: first ? stringOrNull(native["apiKeySource"]) : null,
      cliVersion: stringOrNull(native["claude_code_version"]),
      permissionMode: stringOrNull(native["permissionMode"]),
    },
    { kind: "turn-started" },
  ];
}

function taskState(status: unknown): BackgroundTask["state"] {
  if (CUT_OFF.has(status)) return "cut-off";
  return ENDED.has(status) ? "ended" : "running";
}

function translateTask(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const id = textOf(native["task_id"]);
  const patch = objectOf(native["patch"]);
  const status = native["status"] ?? patch["status"];
  // Older releases do not say whether the task is in the background; the call that started it does.
  const call = state.openCalls.get(textOf(native["tool_use_id"]));
  const flag = native["is_backgrounded"] ?? patch["is_backgrounded"];
  const background = typeof flag === "boolean" ? flag : (call?.background ?? null);
  return [{ kind: "task", id, state: taskState(status), background, description: textOf(native["description"]) }];
}

/** Translates the whole list of background tasks. A task of the last list that is missing in this list has ended. */
function translateTaskList(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const listed = new Map<string, string>();
  for (const task of arrayOf(native["tasks"])) {
    if (isObject(task)) remember(listed, textOf(task["task_id"]), textOf(task["description"]));
  }
  const updates: RunUpdate[] = [];
  for (const id of state.listedTasks.keys()) {
    if (!listed.has(id)) updates.push({ kind: "task", id, state: "ended", background: true, description: "" });
  }
  for (const [id, description] of listed) {
    updates.push({ kind: "task", id, state: "running", background: true, description });
  }
  state.listedTasks = listed;
  return updates;
}

const translateRetry = (native: JsonObject): readonly RunUpdate[] => [
  {
    kind: "retry",
    attempt: integerOf(native["attempt"]),
    maxAttempts: integerOf(native["max_retries"]),
    delayMs: numberOrNull(native["retry_delay_ms"]),
    status: integerOf(native["error_status"]),
    reason: textOf(native["error"]),
  },
];

const translateDenial = (native: JsonObject): readonly RunUpdate[] => [
  {
    kind: "permission-denied",
    tool: textOf(native["tool_name"]),
    id: stringOrNull(native["tool_use_id"]),
    input: undefined,
    reason: textOf(native["decision_reason"]),
  },
];

/** Claude Code reports each change of its permission mode. */
function translateStatus(native: JsonObject): readonly RunUpdate[] {
  const permissionMode = stringOrNull(native["permissionMode"]);
  if (permissionMode === null) return NO_UPDATES;
  return [{ kind: "session", sessionId: null, model: null, apiKeySource: null, cliVersion: null, permissionMode }];
}

/** Translates `system` events: reports of the CLI itself. */
export function translateSystem(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  switch (native["subtype"]) {
    case "init":
      return translateInit(native, state);
    case "status":
      return translateStatus(native);
    case "api_retry":
      return translateRetry(native);
    case "task_started":
    case "task_updated":
    case "task_notification":
      return translateTask(native, state);
    case "background_tasks_changed":
      return translateTaskList(native, state);
    case "permission_denied":
      return translateDenial(native);
    case "informational":
      return [{ kind: "notice", text: textOf(native["content"]) }];
    default:
      return NO_UPDATES;
  }
}
