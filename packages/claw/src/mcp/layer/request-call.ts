import type { ServerContext, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { isObject, objectOf, textOf } from "claw-contract";
import type { Caller, ClientFacts, Era } from "./caller.ts";
import type { McpRequestCall } from "./mcp-tables.ts";
import type { McpProgress } from "./tool.ts";

const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  client: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
} as const;

const clientOf = (info: unknown): ClientFacts["client"] =>
  isObject(info) ? { name: textOf(info["name"]), version: textOf(info["version"]) } : null;

/** Facts that the client states in the request, or stated when the connection began. */
function factsOf(server: Server, context: ServerContext, era: Era): ClientFacts {
  const envelope = (context.mcpReq.envelope ?? {}) as JsonObject;
  if (era === "modern") {
    const version = textOf(envelope[META.version]);
    return {
      era,
      version,
      client: clientOf(envelope[META.client]),
      capabilities: objectOf(envelope[META.capabilities]),
    };
  }
  return {
    era,
    version: server.getNegotiatedProtocolVersion() ?? "",
    client: clientOf(server.getClientVersion()),
    capabilities: objectOf(server.getClientCapabilities()),
  };
}

/** A client that has left needs no progress. */
const ignore = (): undefined => undefined;

function progressOf({ mcpReq }: ServerContext): McpRequestCall["progress"] {
  const token = mcpReq._meta?.["progressToken"];
  if (typeof token !== "string" && typeof token !== "number") return null;
  return (progress: McpProgress) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, ...progress } }).catch(ignore);
}

/** A request of the SDK as the tables see it. */
export function requestCall(server: Server, context: ServerContext, who: { caller: Caller; era: Era }): McpRequestCall {
  return {
    ...factsOf(server, context, who.era),
    caller: who.caller,
    progress: progressOf(context),
    signal: context.mcpReq.signal,
    meta: context.mcpReq._meta ?? {},
    sdk: { server, context },
  };
}
