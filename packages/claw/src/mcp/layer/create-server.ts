import type { Server as SdkServer, ServerCapabilities } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { looseParams } from "./loose-params.ts";
import type { Served } from "./call-tool.ts";
import { callTool, createToolIndex, toolCall, wireAnswer } from "./call-tool.ts";
import type { McpTables, PromptDefinition } from "./mcp-tables.ts";
import { requestCall } from "./request-call.ts";
import type { ToolDefinition } from "./tool.ts";
import { createWatches } from "./resource-watches.ts";
import { DefaultJsonSchemaValidator } from "./sdk-shims.ts";

/** How long a client may keep a list or a resource. Lists never change; resources tell of their changes. */
const LIST_TTL_MS = 3_600_000;
const RESOURCE_TTL_MS = 0;

const LISTS = ["tools/list", "prompts/list", "resources/templates/list"] as const;

function capabilitiesOf({ resources, prompts, capabilities }: McpTables): ServerCapabilities {
  return {
    tools: {},
    ...(resources === undefined ? {} : { resources: resources.watch === undefined ? {} : { subscribe: true } }),
    ...(prompts === undefined ? {} : { prompts: {} }),
    ...capabilities,
  };
}

const faceOf = ({ run: _run, ...face }: ToolDefinition): JsonObject => ({ ...face });

function serveTools(served: Served): void {
  const index = createToolIndex(served.tables, served.who.caller);
  served.server.setRequestHandler("tools/list", async () => ({
    tools: [...(await index()).values()].map(faceOf) as never,
  }));
  served.server.setRequestHandler("tools/call", ({ params }, context) =>
    callTool(served, index, params as Parameters<typeof callTool>[2], context),
  );
}

function serveResources({ server, tables, who }: Served): void {
  const { resources } = tables;
  if (resources === undefined) return;
  server.setRequestHandler("resources/list", async ({ params }, context) => ({
    ...((await resources.list(requestCall(server, context, who), params?.cursor)) as { resources: never[] }),
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resources.templates as never }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const contents = await resources.read(uri, requestCall(server, context, who));
    if (contents === undefined) throw new ResourceNotFoundError(uri);
    return { contents: contents as never };
  });
  if (resources.watch === undefined || who.era === "modern") return;
  const watches = createWatches((uri, changed) => resources.watch?.(uri, who.caller, changed), server);
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => watches.add(uri));
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => watches.remove(uri));
}

const promptFace = ({ make: _make, ...face }: PromptDefinition): JsonObject => ({ ...face });

function requireArguments({ name, arguments: asked }: PromptDefinition, given: Readonly<Record<string, string>>): void {
  const missing = asked.find((argument) => argument.required && given[argument.name] === undefined);
  if (missing === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs the argument ${missing.name}`);
}

function servePrompts({ server, tables, who }: Served): void {
  const { prompts } = tables;
  if (prompts === undefined) return;
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.map(promptFace) as never }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name.slice(0, 200)}`);
    }
    const given = params.arguments ?? {};
    requireArguments(prompt, given);
    const made = await prompt.make(given, toolCall(server, context, who));
    if ("kind" in made) return wireAnswer(made) as never;
    return { description: prompt.description, messages: made as never };
  });
}

function serveMethods({ server, tables, who }: Served): void {
  for (const [method, handle] of Object.entries(tables.methods ?? {})) {
    server.setRequestHandler(method, { params: looseParams }, async (params, context) =>
      handle(params as JsonObject, requestCall(server, context, who)),
    );
  }
}

/**
 * A server of the SDK that offers the tables to one caller, in one era. The caller of this function connects the server
 * to a transport, or gives the server to an entry of the SDK, such as `serveStdio` or `createMcpHandler`.
 */
export function createServer(tables: McpTables, who: Served["who"]): SdkServer {
  const hint = { ttlMs: LIST_TTL_MS, cacheScope: "private" as const };
  const server = new Server(tables.server, {
    capabilities: capabilitiesOf(tables),
    instructions: tables.instructions,
    jsonSchemaValidator: new DefaultJsonSchemaValidator(),
    cacheHints: {
      ...Object.fromEntries(LISTS.map((list) => [list, hint])),
      "resources/list": { ttlMs: RESOURCE_TTL_MS, cacheScope: "private" },
      "resources/read": { ttlMs: RESOURCE_TTL_MS, cacheScope: "private" },
    },
  });
  const served = { server, tables, who };
  serveTools(served);
  serveResources(served);
  servePrompts(served);
  serveMethods(served);
  return server;
}
