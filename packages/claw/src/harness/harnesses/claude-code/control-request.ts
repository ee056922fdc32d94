import type { JsonObject } from "claw-contract";
import { objectOf, stringOrNull, textOf } from "claw-contract";
import type { AgentRequest, RunUpdate } from "../../stream/run-update.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

function aboutOf(request: JsonObject): AgentRequest["about"] | null {
  if (request["subtype"] === "elicitation") return "elicitation";
  if (request["subtype"] !== "can_use_tool") return null;
  return request["requires_user_interaction"] === true ? "question" : "permission";
}

/** Translates a request. The agent asks on its stdout and waits for the answer on its stdin. */
export function translateRequest(native: JsonObject): readonly RunUpdate[] {
  const request = objectOf(native["request"]);
  const about = aboutOf(request);
  const id = stringOrNull(native["request_id"]);
  if (about === null || id === null) return NO_UPDATES;
  return [
    {
      kind: "request",
      id,
      about,
      tool: textOf(request["tool_name"] ?? request["mcp_server_name"]),
      input: request["input"] ?? request["requested_schema"],
      reason: textOf(request["decision_reason"] ?? request["message"] ?? request["description"]),
      native,
    },
  ];
}
