import { permissionRow, isObject, objectOf, stringOrNull } from "claw-contract";
import type { JsonObject } from "claw-contract";
import { AGENT_PROGRAMS } from "../agent-programs.ts";
import { toLines } from "../harness.ts";
import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { createCodexDialogue, openCodexDialogue } from "./codex/codex-dialogue.ts";
import { CODEX_RULES } from "./codex/codex-rules.ts";
import { endCodex, isCodexPiece, translateCodex } from "./codex/translate-codex.ts";
import type { AgentSessionRecord } from "../stream/session-record.ts";
import { NO_RECORD } from "../stream/session-record.ts";
import { readErrorInfo } from "./codex/error-info.ts";
import { readUsage } from "./codex/exec-event.ts";
import { findRollout, readRollout } from "./codex/rollout-file.ts";

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

/** Which credentials Codex will find; a label, never a secret. */
function authSource({ env, loggedIn }: RunRequest): string {
  const named = ["CODEX_API_KEY", "OPENAI_API_KEY"].find((name) => (env[name] ?? "") !== "");
  return named ?? (loggedIn ? "cached" : "unknown");
}

const diagnosticsOf = (sandbox: string, auth: string): readonly string[] => [
  `codex sandbox=${sandbox}`,
  `codex auth=${auth}`,
];

function dialogueCommand(request: RunRequest): SpawnSpec {
  const auth = authSource(request);
  const { sandbox } = permissionRow(request.permissionMode).codex.appServer;
  return {
    argv: [...(request.program ?? ([AGENT_PROGRAMS.codex] as const)), "app-server"],
    stdin: toLines(openCodexDialogue(request.pieces === true)),
    dialogue: true,
    metadata: { sandbox_mode: sandbox, auth_source: auth, turn_count: 0, model: request.model },
    diagnostics: diagnosticsOf(sandbox, auth),
  };
}

function command(request: RunRequest): SpawnSpec {
  if (request.dialogue) return dialogueCommand(request);
  const { prompt, model, lastMessagePath, resume } = request;
  const { sandbox } = permissionRow(request.permissionMode).codex.exec;
  const auth = authSource(request);
  const lastMessage = lastMessagePath === null ? [] : ["--output-last-message", lastMessagePath];
  const flags = ["--skip-git-repo-check", "-s", sandbox, ...(model === null ? [] : ["-m", model])];
  const session = resume === undefined ? [] : ["resume", resume];
  return {
    argv: [
      ...(request.program ?? ([AGENT_PROGRAMS.codex] as const)),
      "exec",
      "--json",
      ...lastMessage,
      ...flags,
      ...session,
      "-",
    ],
    stdin: prompt,
    dialogue: false,
    metadata: {
      sandbox_mode: sandbox,
      auth_source: auth,
      turn_count: 0,
      model,
    },
    diagnostics: diagnosticsOf(sandbox, auth),
  };
}

/** Codex, run with `exec --json`, or in a dialogue as its app-server. */
export const codex: Harness = {
  id: "codex",
  // Otherwise the files that guard Codex's sandbox stay behind: .git, .codex, .agents and .aws in every folder a
  // command could write.
  endsCommandsFirst: true,
  command,
  dialogue: ({ prompt, model, cwd, resume = null, permissionMode }) => {
    const permissions = permissionRow(permissionMode).codex.appServer;
    return createCodexDialogue({ prompt, model, cwd, permissions, resume });
  },
  translate: translateCodex,
  end: endCodex,
  isStreamMessage: () => false,
  isPiece: isCodexPiece,
  rules: () => CODEX_RULES,
  recall: recallThread,
};
