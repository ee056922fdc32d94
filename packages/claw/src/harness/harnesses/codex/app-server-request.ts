import type { JsonObject } from "claw-contract";
import { objectOf, textOf } from "claw-contract";
import type { AgentRequest, RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { askedOf } from "./asked-of.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** An MCP server's question is a permission when Codex itself asks whether to call a tool of it. */
function aboutOf(method: string, params: JsonObject): AgentRequest["about"] | null {
  if (method.endsWith("/requestApproval")) return "permission";
  if (method.endsWith("/requestUserInput")) return "question";
  if (!method.endsWith("/elicitation/request")) return null;
  return objectOf(params["_meta"])["codex_approval_kind"] === undefined ? "elicitation" : "permission";
}

/** `item/commandExecution/requestApproval` is about a command execution; a server's question about that server. */
function toolOf(method: string, params: JsonObject): string {
  const server = textOf(params["serverName"]);
  return server === "" ? (method.split("/")[1] ?? method) : server;
}

/** Translates a request. The agent waits for the answer. */
export function translateServerRequest(native: JsonObject, method: string, state: StreamState): readonly RunUpdate[] {
  const params = objectOf(native["params"]);
  const { id } = native;
  const about = aboutOf(method, params);
  if (about === null || (typeof id !== "string" && typeof id !== "number")) return NO_UPDATES;
  const reason = textOf(params["reason"] ?? params["message"]);
  return [{ kind: "request", id, about, tool: toolOf(method, params), input: askedOf(params, state), reason, native }];
}
