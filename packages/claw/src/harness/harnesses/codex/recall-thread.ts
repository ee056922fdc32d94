import type { JsonObject } from "claw-contract";
import { isObject, objectOf, stringOrNull } from "claw-contract";
import type { AgentSessionRecord } from "../../stream/session-record.ts";
import { NO_RECORD } from "../../stream/session-record.ts";
import { readErrorInfo } from "./error-info.ts";
import { readUsage } from "./exec-event.ts";
import { findRollout, readRollout } from "./rollout-file.ts";

const TYPES: ReadonlySet<string> = new Set(["turn_context", "token_usage_record", "event_msg"]);

/** How a turn ended, as the file of the thread tells it. */
function readEvent(known: AgentSessionRecord, payload: JsonObject): AgentSessionRecord {
  if (payload["type"] === "task_started") return { ...known, failure: null };
  const { error } = payload;
  if (payload["type"] !== "task_complete" || !isObject(error)) return known;
  return { ...known, failure: { error: stringOrNull(error["message"]), ...readErrorInfo(error["codex_error_info"]) } };
}

function readRecord(known: AgentSessionRecord, { type, payload }: JsonObject): AgentSessionRecord {
  const fields = objectOf(payload);
  if (type === "event_msg") return readEvent(known, fields);
  if (type === "turn_context") return { ...known, model: stringOrNull(fields["model"]) ?? known.model };
  const { thread_token_usage: total } = fields;
  return isObject(total) ? { ...known, usage: readUsage(total) } : known;
}

/** Reads Codex's file of a thread. A thread without a file, or with an unreadable file, gives no facts. */
export async function recallThread(
  threadId: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentSessionRecord> {
  const path = findRollout(threadId, env);
  if (path === undefined) return NO_RECORD;
  let known = NO_RECORD;
  try {
    for await (const record of readRollout(path, TYPES)) known = readRecord(known, record);
  } catch {
    // The file is Codex's and may go at any time. What was read so far stays.
    return known;
  }
  return known;
}
