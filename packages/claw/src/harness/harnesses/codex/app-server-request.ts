import type { JsonObject } from "claw-contract";
import { objectOf, textOf, arrayOf, isObject, stringOrNull } from "claw-contract";
import type { AgentRequest, RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Fields of a request that a person decides by. The others are Codex's own bookkeeping. */
const ASKED = ["command", "cwd", "grantRoot", "permissions", "questions", "requestedSchema", "url"] as const;

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

const named = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => isThere(fields[name])).map((name) => [name, fields[name]]));

/** A request to change files names only the item that holds them. */
function filesOf(itemId: string, { openCalls }: StreamState): JsonObject {
  const changes = arrayOf(objectOf(openCalls.get(itemId)?.input)["changes"]).filter(isObject);
  if (changes.length === 0) return {};
  const diff = changes.map((change) => textOf(change["diff"])).filter((text) => text !== "");
  return {
    files: changes.map((change) => textOf(change["path"])),
    ...(diff.length > 0 ? { diff: diff.join("\n") } : {}),
  };
}

/** Codex asks whether it may reach a host in the words of its proxy. */
function hostOf({ networkApprovalContext: context }: JsonObject): JsonObject {
  const { host, protocol } = objectOf(context);
  return { ...(stringOrNull(host) === null ? {} : { host }), ...(stringOrNull(protocol) === null ? {} : { protocol }) };
}

/** A tool of an MCP server, with what it would be given. */
function mcpToolOf(meta: JsonObject): JsonObject {
  return named({ tool: meta["tool_title"], about: meta["tool_description"], arguments: meta["tool_params"] }, [
    "tool",
    "about",
    "arguments",
  ]);
}

/** What a request of the app-server asks for, as a person needs to know it. */
const askedOf = (params: JsonObject, state: StreamState): JsonObject => ({
  ...named(params, ASKED),
  ...hostOf(params),
  ...filesOf(textOf(params["itemId"]), state),
  ...mcpToolOf(objectOf(params["_meta"])),
});

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
