import type { AgentAnswer, CodexPermissions, JsonObject } from "claw-contract";
import { isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import type { Dialogue, DialogueFrame } from "../../harness.ts";
import type { AgentRequest } from "../../stream/run-update.ts";
import { translateServerRequest } from "./app-server-request.ts";
import { CODEX_PIECES } from "./translate-codex.ts";
import { createStreamState } from "../../stream/stream-state.ts";
import { createCodexSaying, textInput } from "./codex-saying.ts";

export interface CodexConversation {
  readonly prompt: string;
  /** Null is the agent's own choice. */
  readonly model: string | null;
  readonly cwd: string;
  readonly permissions: CodexPermissions;
  /** Thread to resume; null begins a new thread. */
  readonly resume: string | null;
}

const [INITIALIZE, START_THREAD, START_TURN] = [1, 2, 3];

/** The first frame of a conversation. Without `pieces`, the server sends no notifications about pieces. */
export const openCodexDialogue = (pieces: boolean): readonly DialogueFrame[] => [
  {
    method: "initialize",
    id: INITIALIZE,
    params: {
      clientInfo: { name: "claw", title: "claw", version: "1" },
      capabilities: { experimentalApi: true, optOutNotificationMethods: pieces ? [] : CODEX_PIECES },
    },
  },
];

function startThread({ model, cwd, permissions, resume }: CodexConversation): readonly DialogueFrame[] {
  const chosen = { ...(model === null ? {} : { model }), ...(resume === null ? {} : { threadId: resume }) };
  const params = { ...chosen, cwd, approvalPolicy: permissions.approval, sandbox: permissions.sandbox };
  const method = resume === null ? "thread/start" : "thread/resume";
  return [{ method: "initialized" }, { method, id: START_THREAD, params }];
}

function startTurn(prompt: string, threadId: string | null): readonly DialogueFrame[] {
  if (threadId === null) return [];
  return [{ method: "turn/start", id: START_TURN, params: { threadId, input: textInput(prompt) } }];
}

/** Refuses a request of an unknown kind, because the agent would wait for ever. */
function refuseUnknown(native: JsonObject, method: string): readonly DialogueFrame[] {
  const isKnown = translateServerRequest(native, method, createStreamState()).length > 0;
  if (native["id"] === undefined || isKnown) return [];
  return [{ id: native["id"], error: { code: -32_601, message: "claw does not answer requests of this kind" } }];
}

const approve = ({ decision, interrupt }: AgentAnswer): JsonObject => ({
  decision: decision === "allow" ? "accept" : interrupt === true ? "cancel" : "decline",
});

function grant({ native }: AgentRequest, { decision }: AgentAnswer): JsonObject {
  const permissions = decision === "allow" ? objectOf(objectOf(native["params"])["permissions"]) : {};
  return { permissions, scope: "turn" };
}

function fill({ about }: AgentRequest, { decision, content, interrupt }: AgentAnswer): JsonObject {
  const isFilled = content !== undefined || about === "permission";
  if (decision === "allow" && isFilled) return { action: "accept", content: content ?? {} };
  return { action: interrupt === true ? "cancel" : "decline" };
}

/** Answers may be given by the id of a question or by its text. */
function reply({ native }: AgentRequest, { decision, answers = {} }: AgentAnswer): JsonObject {
  const { questions } = objectOf(native["params"]);
  const given = (Array.isArray(questions) ? questions : []).filter(isObject).flatMap((question) => {
    const id = textOf(question["id"]);
    const text = answers[id] ?? answers[textOf(question["question"])];
    return text === undefined || decision === "deny" ? [] : [[id, { answers: [text].flat() }] as const];
  });
  return { answers: Object.fromEntries(given) };
}

function resultOf(request: AgentRequest, answer: AgentAnswer): JsonObject {
  const method = textOf(request.native["method"]);
  if (method.endsWith("/elicitation/request")) return fill(request, answer);
  if (method.endsWith("/requestUserInput")) return reply(request, answer);
  return method === "item/permissions/requestApproval" ? grant(request, answer) : approve(answer);
}

/** A refusal has no room for words, so the reason is said to the turn that waits for the answer. */
function tellReason(
  request: AgentRequest,
  { decision, message = "", interrupt }: AgentAnswer,
): readonly DialogueFrame[] {
  const { threadId, turnId } = objectOf(request.native["params"]);
  const needsReason = decision === "deny" && request.about === "permission" && interrupt !== true;
  if (!needsReason || message === "" || typeof threadId !== "string" || typeof turnId !== "string") return [];
  const input = textInput(`Your request was refused: ${message}`);
  return [
    { method: "turn/steer", id: `claw-reason-${request.id}`, params: { threadId, input, expectedTurnId: turnId } },
  ];
}

/** `codex app-server` over its stdin and stdout. */
export function createCodexDialogue(conversation: CodexConversation): Dialogue {
  const saying = createCodexSaying(START_TURN);
  return {
    heard: (native) => {
      const method = stringOrNull(native["method"]);
      if (method !== null) return refuseUnknown(native, method);
      if (!isObject(native["result"])) return [];
      if (native["id"] === INITIALIZE) return startThread(conversation);
      if (native["id"] !== START_THREAD) return [];
      return startTurn(conversation.prompt, saying.thread(stringOrNull(objectOf(native["result"]["thread"])["id"])));
    },
    say: (text, id) => saying.say(text, id),
    heardOf: (native) => saying.heardOf(native),
    // The reason first: the turn goes on as soon as it has its answer.
    answer: (request, answer) => [
      ...tellReason(request, answer),
      { id: request.id, result: resultOf(request, answer) },
    ],
    refused: (native) =>
      native["method"] === undefined && isObject(native["error"]) && Number(native["id"] ?? START_TURN) <= START_TURN,
    withdrawn: (native) => {
      if (native["method"] !== "serverRequest/resolved") return null;
      const { requestId } = objectOf(native["params"]);
      return typeof requestId === "string" || typeof requestId === "number" ? requestId : null;
    },
  };
}
