import * as z from "zod";
import { canonicalToolName } from "../permissions/tool-names.ts";
import type { ToolOffer } from "../providers/provider.ts";
import { createBash } from "./shell/bash.ts";
import { createEditFile } from "./files/edit-file.ts";
import { createGlobSearch } from "./search/glob-search.ts";
import { createGrepSearch } from "./search/grep-search.ts";
import { createReadFile } from "./files/read-file.ts";
import { createSeenFiles } from "./files/seen-files.ts";
import { createTodoWrite } from "./todo-write.ts";
import type { ToolDeps } from "./tool-deps.ts";
import type { AnyTool } from "./tool.ts";
import { createWebFetch } from "./web/web-fetch.ts";
import { createWriteFile } from "./files/write-file.ts";

/** The built-in tools, then the tools in `extra`. An extra tool with a taken name is left out. */
export function createTools(deps: ToolDeps, extra: readonly AnyTool[] = []): readonly AnyTool[] {
  const seen = createSeenFiles();
  const builtIn = [
    createBash(deps),
    createReadFile(deps, seen),
    createWriteFile(deps, seen),
    createEditFile(deps, seen),
    createGlobSearch(deps),
    createGrepSearch(deps),
    createTodoWrite(deps),
    createWebFetch(deps),
  ];
  const byName = new Map<string, AnyTool>();
  for (const tool of [...builtIn, ...extra]) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return [...byName.values()];
}

/** Adds the tools in `others` to `tools`. A tool with a taken name is left out. */
export function addTools(tools: readonly AnyTool[], others: readonly AnyTool[]): readonly AnyTool[] {
  if (others.length === 0) return tools;
  const names = new Set(tools.map(({ name }) => name));
  return [...tools, ...others.filter(({ name }) => !names.has(name))];
}

/** The tool of a name or an alias, in any case; undefined when there is none. A name goes before an alias. */
export function findTool(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  const small = name.trim().toLowerCase();
  const canonical = canonicalToolName(name);
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name.toLowerCase() === small) ??
    tools.find((tool) => tool.aliases.some((alias) => alias.toLowerCase() === small)) ??
    tools.find((tool) => tool.name === canonical)
  );
}

const offers = new WeakMap<AnyTool, ToolOffer>();

/** A tool as models see it. Made once for each tool, since every request needs it. */
export function offerOf(tool: AnyTool): ToolOffer {
  const known = offers.get(tool);
  if (known !== undefined) return known;
  const { name, description } = tool;
  const { $schema: _dialect, ...inputSchema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: "input" });
  const offer = { name, description, inputSchema };
  offers.set(tool, offer);
  return offer;
}
