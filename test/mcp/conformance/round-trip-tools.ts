import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { arrayOf, objectOf, stringOf } from "claw-contract";
import type { ToolAnswer, McpToolCall, ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";
import { elicitation, fixtureTool, text } from "./fixture-tool.ts";

const KEY = randomBytes(32);

const macOf = (said: string): Buffer => createHmac("sha256", KEY).update(said).digest();

/** A state that only this server can have made. */
const sealState = (said: string): string => `${said}.${macOf(said).toString("base64url")}`;

/** Throws a protocol error for a state that was changed on its way. */
function openState(state: string | null): string {
  const [said = "", mac = ""] = (state ?? "").split(".");
  const given = Buffer.from(mac, "base64url");
  const due = macOf(said);
  if (given.length === due.length && timingSafeEqual(given, due)) return said;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState was changed");
}

const sampling = (said: string, maxTokens: number): JsonObject => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: said } }], maxTokens },
});

const ROOTS: JsonObject = { method: "roots/list", params: {} };

/** What a round asks for: the requests by key, and how an answer that fits is told from others. */
type Round = Readonly<Record<string, { readonly ask: JsonObject; readonly fits: (answer: JsonObject) => boolean }>>;

const accepted = (field: string) => (answer: JsonObject) =>
  answer["action"] === "accept" && Object.hasOwn(objectOf(answer["content"]), field);

const asks = (message: string, field: string, type = "string") => ({
  ask: elicitation(message, field, type),
  fits: accepted(field),
});

const said = (answer: JsonObject): string => stringOf(objectOf(answer["content"])["text"]) ?? "";

const fitting = (round: Round, { inputResponses }: McpToolCall): boolean =>
  Object.entries(round).every(([key, { fits }]) => fits(objectOf(inputResponses?.[key])));

const question = (round: Round, requestState?: string): ToolAnswer => ({
  kind: "input-required",
  inputRequests: Object.fromEntries(Object.entries(round).map(([key, { ask }]) => [key, ask])),
  ...(requestState === undefined ? {} : { requestState }),
});

const answerTo = ({ inputResponses }: McpToolCall, key: string): JsonObject => objectOf(inputResponses?.[key]);
const fieldOf = (call: McpToolCall, key: string, field: string): string =>
  String(objectOf(answerTo(call, key)["content"])[field]);

const NAME: Round = { user_name: asks("What is your name?", "name") };
const CAPITAL: Round = {
  capital_question: { ask: sampling("What is the capital of France?", 100), fits: (answer) => said(answer) !== "" },
};
const FOLDERS: Round = { client_roots: { ask: ROOTS, fits: ({ roots }) => Array.isArray(roots) } };
const CONFIRM: Round = { confirm: asks("Please confirm", "ok", "boolean") };
const SEVERAL: Round = {
  ...NAME,
  greeting: { ask: sampling("Generate a greeting", 50), fits: (answer) => said(answer) !== "" },
  ...FOLDERS,
};
const STEPS: readonly Round[] = [
  { step1: asks("Step 1: What is your name?", "name") },
  { step2: asks("Step 2: What is your favorite color?", "color") },
];

/** Asks for a round, and answers once its answers came with an unchanged state. */
const sealed = (round: Round, name: string, done: string): ToolDefinition =>
  fixtureTool(name, (_input, call) => {
    if (call.inputResponses === null && call.requestState === null) return question(round, sealState("asked"));
    openState(call.requestState);
    return fitting(round, call) ? text(done) : question(round, sealState("asked"));
  });

function walkSteps(call: McpToolCall): ToolAnswer {
  const at = call.requestState === null ? 0 : Number(openState(call.requestState));
  const next = call.inputResponses !== null && fitting(STEPS[at] ?? {}, call) ? at + 1 : at;
  const round = STEPS[next];
  return round === undefined ? text("Both steps were answered.") : question(round, sealState(String(next)));
}

const METHODS: Readonly<Record<string, (message: string) => JsonObject>> = {
  elicitation: (message) => elicitation(message, "name"),
  sampling: (message) => sampling(message, 50),
};

/** Asks only what the client says that it can answer. */
function askWithin({ capabilities }: McpToolCall): ToolAnswer {
  const able = Object.keys(METHODS).filter((name) => capabilities[name] !== undefined);
  if (able.length === 0) return text("The client can be asked nothing.");
  return {
    kind: "input-required",
    inputRequests: Object.fromEntries(able.map((name) => [name, METHODS[name]?.("What is your name?") ?? {}])),
  };
}

/** Tools that ask by an answer, as the protocol does since 2026-07-28. */
export const ROUND_TRIP_TOOLS: readonly ToolDefinition[] = [
  fixtureTool("test_input_required_result_elicitation", (_input, call) =>
    fitting(NAME, call) ? text(`Hello, ${fieldOf(call, "user_name", "name")}!`) : question(NAME),
  ),
  fixtureTool("test_input_required_result_sampling", (_input, call) =>
    fitting(CAPITAL, call) ? text(said(answerTo(call, "capital_question"))) : question(CAPITAL),
  ),
  fixtureTool("test_input_required_result_list_roots", (_input, call) =>
    fitting(FOLDERS, call)
      ? text(`Roots: ${JSON.stringify(arrayOf(answerTo(call, "client_roots")["roots"]))}`)
      : question(FOLDERS),
  ),
  sealed(CONFIRM, "test_input_required_result_request_state", "state-ok"),
  sealed(CONFIRM, "test_input_required_result_tampered_state", "state-ok"),
  sealed(SEVERAL, "test_input_required_result_multiple_inputs", "All three were answered."),
  fixtureTool("test_input_required_result_multi_round", (_input, call) => walkSteps(call)),
  fixtureTool("test_input_required_result_capabilities", (_input, call) => askWithin(call)),
  fixtureTool("test_missing_capability", (_input, { capabilities }) => {
    if (capabilities["sampling"] !== undefined) return text("The client can sample.");
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
];
