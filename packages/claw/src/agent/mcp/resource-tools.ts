import { ClawError, LIMITS, firstChars } from "claw-contract";
import * as z from "zod";
import type { AnyTool, ToolOutput } from "../tools/tool.ts";
import { defineTool } from "../tools/tool.ts";
import type { ListedResource } from "./list-offers.ts";
import type { McpLink } from "./mcp-link.ts";
import { serverLine } from "./result-text.ts";

const Listing = z.object({
  server: z.string().min(1).optional().describe("Name of one MCP server; all of them without it."),
});
const ReadInput = z.object({
  server: z.string().min(1).describe("Name of the MCP server."),
  uri: z.string().min(1).describe("Address of the resource, as list_mcp_resources shows it."),
});

const PAGE = "docs/agent.md#mcp-servers";
/** Reading a resource needs only the read-only mode. */
const NEED = { kind: "foreign", mode: "read-only" } as const;

const withResources = (links: readonly McpLink[]): McpLink[] => links.filter((link) => link.offers().hasResources);

function requireLink(links: readonly McpLink[], name: string): McpLink {
  const known = withResources(links);
  const link =
    known.find(({ server }) => server.name === name) ??
    known.find(({ server }) => server.name.toLowerCase() === name.toLowerCase());
  if (link !== undefined) return link;
  throw new ClawError("TOOL_FAILED", `no MCP server '${serverLine(name)}' has resources`, {
    operation: "find_mcp_server",
    target: serverLine(name),
    hint: `Servers with resources: ${known.map(({ server }) => server.name).join(", ")}.`,
  });
}

function resourceLine({ server }: McpLink, { uri, name, mimeType, description }: ListedResource): string {
  const about = [name, mimeType, description]
    .filter((text) => text !== undefined && text !== "")
    .map((text) => serverLine(text ?? ""));
  return `${server.name} ${serverLine(uri)}${about.length === 0 ? "" : `: ${about.join(", ")}`}`;
}

/** The resources of some servers, one per line. For a server that fails, a line says why. */
async function listAllResources(links: readonly McpLink[], signal: AbortSignal): Promise<ToolOutput> {
  const lines = await Promise.all(
    links.map(async (link) => {
      try {
        const found = await link.use((connection) => connection.listResources(signal), signal);
        return found.map((resource) => resourceLine(link, resource));
      } catch (error) {
        signal.throwIfAborted();
        return [
          `The server ${link.server.name} lists nothing: ${error instanceof Error ? error.message : "unknown error"}`,
        ];
      }
    }),
  );
  const text = lines.flat().join("\n");
  return { output: text === "" ? "There are no resources." : firstChars(text, LIMITS.mcpResultChars), isError: false };
}

const createListing = (links: readonly McpLink[]): AnyTool =>
  defineTool<z.infer<typeof Listing>>({
    name: "list_mcp_resources",
    aliases: ["ListMcpResourcesTool", "ListMcpResources"],
    responsibility: "Lists the resources of MCP servers.",
    description: "Lists the resources that MCP servers offer: server, address, name. Read one with read_mcp_resource.",
    sourceHint: PAGE,
    input: Listing,
    mainField: "server",
    readOnly: true,
    need: () => NEED,
    subject: ({ server = "" }) => server,
    run: async ({ server }, _call, signal) =>
      listAllResources(server === undefined ? withResources(links) : [requireLink(links, server)], signal),
  });

const createReading = (links: readonly McpLink[]): AnyTool =>
  defineTool<z.infer<typeof ReadInput>>({
    name: "read_mcp_resource",
    aliases: ["ReadMcpResourceTool", "ReadMcpResource"],
    responsibility: "Reads a resource of an MCP server.",
    description: "Reads a resource of an MCP server by the server's name and the resource's address.",
    sourceHint: PAGE,
    input: ReadInput,
    mainField: "uri",
    readOnly: true,
    need: () => NEED,
    subject: ({ server, uri }) => `${server}:${uri}`,
    run: async ({ server, uri }, _call, signal) => {
      const link = requireLink(links, server);
      try {
        const output = await link.use((connection) => connection.readResource(uri, signal), signal);
        return { output, isError: false };
      } catch (error) {
        signal.throwIfAborted();
        const why = error instanceof Error ? error.message : "unknown error";
        return { output: `The server ${link.server.name} gave no resource: ${why}`, isError: true };
      }
    },
  });

/** The tools for resources; none when no server has resources. */
export const createResourceTools = (links: readonly McpLink[]): readonly AnyTool[] =>
  withResources(links).length === 0 ? [] : [createListing(links), createReading(links)];
