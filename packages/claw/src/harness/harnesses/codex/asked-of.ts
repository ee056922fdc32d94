import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import type { StreamState } from "../../stream/stream-state.ts";

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
function toolOf(meta: JsonObject): JsonObject {
  return named({ tool: meta["tool_title"], about: meta["tool_description"], arguments: meta["tool_params"] }, [
    "tool",
    "about",
    "arguments",
  ]);
}

/** What a request of the app-server asks for, as a person needs to know it. */
export const askedOf = (params: JsonObject, state: StreamState): JsonObject => ({
  ...named(params, ASKED),
  ...hostOf(params),
  ...filesOf(textOf(params["itemId"]), state),
  ...toolOf(objectOf(params["_meta"])),
});
