import { basename } from "node:path";
import type { JsonObject } from "claw-contract";
import type { PlayedAnswer, PermissionStep, QuestionStep } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { userLine } from "./message-lines.ts";
import { BY_USER, refusedLine } from "./tool-lines.ts";

const request = (requestId: string, body: JsonObject): JsonObject => ({
  type: "control_request",
  request_id: requestId,
  request: { subtype: "can_use_tool", ...body },
});

const SUGGESTIONS = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];

/** Asks on the stream whether a tool may run. */
export function permissionRequest(requestId: string, callId: string, { tool, input }: PermissionStep): JsonObject {
  const path = input["file_path"];
  return request(requestId, {
    tool_name: tool,
    display_name: tool,
    input,
    description: typeof path === "string" ? basename(path) : tool,
    permission_suggestions: SUGGESTIONS,
    server_policy_ask_only: true,
    tool_use_id: callId,
  });
}

/** The input of the tool that asks questions. */
export const questionInput = ({ question, header, options }: QuestionStep): JsonObject => ({
  questions: [{ question, header, options, multiSelect: false }],
});

/** Asks a question on the stream: the permission to use the tool for it carries the answer. */
export const questionRequest = (requestId: string, callId: string, step: QuestionStep): JsonObject =>
  request(requestId, {
    tool_name: "AskUserQuestion",
    display_name: "AskUserQuestion",
    input: questionInput(step),
    tool_use_id: callId,
    requires_user_interaction: true,
  });

export function answerLine(
  session: ClaudeSession,
  callId: string,
  step: QuestionStep,
  { text }: PlayedAnswer,
): JsonObject {
  const content = `Your questions have been answered: "${step.question}"="${text}". You can now continue.`;
  const tool_use_result = { ...questionInput(step), answers: { [step.question]: text } };
  const tool_result_meta = [{ id: callId, permission_decision: BY_USER }];
  const block = { type: "tool_result", content, tool_use_id: callId };
  return userLine(session, [block], { more: { tool_use_result, tool_result_meta } });
}

const DISABLED = "No such tool available: AskUserQuestion. AskUserQuestion is disabled for this session.";

/** The result of the question tool where the CLI cannot ask. */
export function unaskedLine(session: ClaudeSession, callId: string): JsonObject {
  return refusedLine(session, callId, { reason: DISABLED, meta: null });
}

/** A permission that was denied because the CLI could not ask. */
export function deniedLines(session: ClaudeSession, callId: string, { tool }: PermissionStep): JsonObject[] {
  const reason = `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
  const denied = { tool_name: tool, tool_use_id: callId, message: reason };
  const meta = { non_execution_kind: "user-rejected", permission_decision: { decision: "reject", source: "config" } };
  return [
    { type: "system", subtype: "permission_denied", ...denied, ...session.stamp() },
    refusedLine(session, callId, { reason, meta }),
  ];
}

/** A permission that the other side refused, with or without a stop to all work. */
export function refusedLines(session: ClaudeSession, callId: string, { text, interrupt }: PlayedAnswer): JsonObject[] {
  const meta = interrupt
    ? { non_execution_kind: "user-rejected" }
    : {
        non_execution_kind: "permission-rule",
        permission_decision: { decision: "reject", source: "user_reject" },
      };
  return [refusedLine(session, callId, { reason: text, meta })];
}
