import type { AgentAnswer, JsonObject } from "claw-contract";
import { objectOf, stringOrNull } from "claw-contract";
import type { Dialogue, DialogueFrame, SaidText } from "../../harness.ts";
import { NOTHING_SAID } from "../../harness.ts";
import type { AgentRequest } from "../../stream/run-update.ts";
import { translateRequest } from "./translate-claude.ts";

const INITIALIZE: DialogueFrame = {
  type: "control_request",
  request_id: "claw-initialize",
  request: { subtype: "initialize", hooks: {} },
};

/** The first frames of a conversation. */
export const openClaudeDialogue = (prompt: string): readonly DialogueFrame[] => [
  INITIALIZE,
  { type: "user", message: { role: "user", content: prompt } },
];

const respond = (requestId: string | number, response: JsonObject): DialogueFrame => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response },
});

const denial = (message: string | undefined, interrupt: boolean | undefined): JsonObject => ({
  behavior: "deny",
  message: message ?? "denied",
  ...(interrupt === true ? { interrupt } : {}),
});

const answerTexts = (answers: AgentAnswer["answers"]): JsonObject =>
  Object.fromEntries(
    Object.entries(answers ?? {}).map(([question, text]) => [question, Array.isArray(text) ? text.join(", ") : text]),
  );

function decisionLine(
  { about, native }: AgentRequest,
  { decision, message, input, answers, interrupt }: AgentAnswer,
): JsonObject {
  if (decision === "deny") return denial(message, interrupt);
  // The tool receives `updatedInput`, so without other input this is exactly the input that the agent asked for.
  const asked = objectOf(objectOf(native["request"])["input"]);
  if (about === "permission") return { behavior: "allow", updatedInput: input ?? asked };
  if (answers === undefined && input === undefined) return denial("no answer came", false);
  return { behavior: "allow", updatedInput: input ?? { ...asked, answers: answerTexts(answers) } };
}

const fill = ({ decision, content, interrupt }: AgentAnswer): JsonObject => {
  if (decision === "allow" && content !== undefined) return { action: "accept", content };
  return { action: interrupt === true ? "cancel" : "decline" };
};

/** Refuses a request of an unknown kind, because the agent would wait for ever. */
function refuseUnknown(native: JsonObject): readonly DialogueFrame[] {
  if (native["type"] !== "control_request" || translateRequest(native).length > 0) return [];
  const error = "claw does not answer requests of this kind";
  return [
    { type: "control_response", response: { subtype: "error", request_id: native["request_id"] ?? null, error } },
  ];
}

/**
 * Fates by Claude Code's names for the states of a message. A message cancelled before the agent took it is refused.
 */
const FATES: ReadonlyMap<unknown, SaidText["fate"]> = new Map([
  ["queued", "read"],
  ["started", "taken"],
  ["completed", "taken"],
  ["cancelled", "refused"],
  ["discarded", "refused"],
]);

/**
 * With `--replay-user-messages` the agent repeats a message after taking it. Newer releases also report the message's
 * states.
 */
function heardOf(native: JsonObject): readonly SaidText[] {
  const isReplay = native["type"] === "user" && native["isReplay"] === true;
  const id = stringOrNull(native[isReplay ? "uuid" : "command_uuid"]);
  const fate = isReplay ? "taken" : native["type"] === "command_lifecycle" ? FATES.get(native["state"]) : undefined;
  return id === null || fate === undefined ? NOTHING_SAID : [{ id, fate }];
}

/** Claude Code with stream-json in both directions. */
export const createClaudeDialogue = (): Dialogue => ({
  heard: refuseUnknown,
  say: (text, id) => [{ type: "user", uuid: id, message: { role: "user", content: text } }],
  heardOf,
  answer: (request, answer) => [
    respond(request.id, request.about === "elicitation" ? fill(answer) : decisionLine(request, answer)),
  ],
  refused: (native) => native["type"] === "control_response" && objectOf(native["response"])["subtype"] === "error",
  withdrawn: (native) => (native["type"] === "control_cancel_request" ? stringOrNull(native["request_id"]) : null),
});
