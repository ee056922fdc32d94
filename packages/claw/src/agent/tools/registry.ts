import * as z from "zod";
import { canonicalToolName } from "../permissions/tool-names.ts";
import type { ToolOffer } from "../providers/provider.ts";
import { createBash } from "./bash.ts";
import { createEditFile } from "./edit-file.ts";
import { createGlobSearch } from "./glob-search.ts";
import { createGrepSearch } from "./grep-search.ts";
import { createReadFile } from "./read-file.ts";
import { createSeenFiles } from "./seen-files.ts";
import { createTodoWrite } from "./todo-write.ts";
import type { ToolDeps } from "./tool-deps.ts";
import type { AnyTool } from "./tool.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWriteFile } from "./write-file.ts";

/** The built-in tools, and those given; one given under a name that is taken is left out. */
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

/** A tool as models see it. */
export function offerOf(tool: AnyTool): ToolOffer {
  const { name, description } = tool;
  const { $schema: _dialect, ...inputSchema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: "input" });
  return { name, description, inputSchema };
}
