import { LIMITS } from "claw-contract";
import type { Client } from "@modelcontextprotocol/client";
import type { ListedTool } from "./foreign-tool.ts";

const MCP_LIST_MS = 30_000;

/** A prompt of an MCP server, as the server lists it. */
export interface ListedPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly {
        readonly name: string;
        readonly description?: string | undefined;
        readonly required?: boolean | undefined;
      }[]
    | undefined;
}

/** A resource of an MCP server, as the server lists it. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Tools and prompts of a server, and whether the server has resources. */
export interface ServerOffers {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  readonly hasResources: boolean;
  /** How many tools are not shown: too many, listed twice, or described at too great a length. */
  readonly leftOut: number;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

/**
 * Collects a list that a server sends in pages. Stops after `LIMITS.mcpPages` pages, or with more than `most` items.
 */
async function collect<T>(most: number, ask: (params: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < LIMITS.mcpPages; page += 1) {
    const { items, nextCursor } = await ask(cursor === undefined ? {} : { cursor });
    found.push(...items);
    cursor = nextCursor;
    if (cursor === undefined || found.length > most) break;
  }
  return found;
}

const withLimits = (signal: AbortSignal) => ({ timeout: MCP_LIST_MS, signal });

const listTools = (client: Client, signal: AbortSignal): Promise<ListedTool[]> =>
  collect(LIMITS.mcpTools, async (params) => {
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, withLimits(signal));
    return { items: tools, nextCursor };
  });

const listPrompts = (client: Client, signal: AbortSignal): Promise<ListedPrompt[]> =>
  collect(LIMITS.mcpPrompts, async (params) => {
    const { prompts, nextCursor } = await client.request({ method: "prompts/list", params }, withLimits(signal));
    return { items: prompts, nextCursor };
  });

/** The resources a server lists now. Rejects as a request does. */
export async function listResources(client: Client, signal: AbortSignal): Promise<readonly ListedResource[]> {
  if (client.getServerCapabilities()?.resources === undefined) return [];
  const found = await collect(LIMITS.mcpResources, async (params) => {
    const { resources, nextCursor } = await client.request({ method: "resources/list", params }, withLimits(signal));
    return { items: resources, nextCursor };
  });
  return found.slice(0, LIMITS.mcpResources);
}

/** The tools that can be offered to a model: each name once, no schema too long, at most `LIMITS.mcpTools` tools. */
function choose(listed: readonly ListedTool[]): ListedTool[] {
  const names = new Set<string>();
  const fitting = listed.filter(({ name, inputSchema }) => {
    const isNew = !names.has(name);
    names.add(name);
    return isNew && JSON.stringify(inputSchema).length <= LIMITS.mcpSchemaChars;
  });
  return fitting.slice(0, LIMITS.mcpTools);
}

/** Asks a server for its tools and prompts. Rejects as a request does. */
export async function listOffers(client: Client, signal: AbortSignal): Promise<ServerOffers> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const listed = tools === undefined ? [] : await listTools(client, signal);
  const chosen = choose(listed);
  const known = prompts === undefined ? [] : await listPrompts(client, signal);
  return {
    tools: chosen,
    prompts: known.slice(0, LIMITS.mcpPrompts),
    hasResources: resources !== undefined,
    leftOut: listed.length - chosen.length,
  };
}
