import type { Server } from "@modelcontextprotocol/server";
import { McpServer } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import type { ToolFace } from "../layer/tool.ts";

/** The keyword by which a tool says that a parameter is also sent as a header. */
const KEYWORD = "x-mcp-header";

/** The SDK compares `Mcp-Param-*` headers with arguments for servers of this class only, and asks it for the schemas. */
class HeaderCheckedServer extends McpServer {
  readonly #schemas: ReadonlyMap<string, JsonObject>;

  constructor(server: Server, schemas: ReadonlyMap<string, JsonObject>) {
    super({ name: "", version: "" });
    Object.defineProperty(this, "server", { value: server });
    this.#schemas = schemas;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#schemas.get(name);
  }
}

const namesHeader = ({ inputSchema }: ToolFace): boolean => JSON.stringify(inputSchema).includes(KEYWORD);

/** The server, with the headers of its tools' parameters checked where a tool names such headers. */
export function checkHeaders(server: Server, tools: readonly ToolFace[]): Server | McpServer {
  const named = tools.filter(namesHeader);
  if (named.length === 0) return server;
  return new HeaderCheckedServer(server, new Map(named.map(({ name, inputSchema }) => [name, inputSchema])));
}
