import { resolve } from "node:path";
import type { JsonObject } from "claw-contract";

/** What Codex has for a tool that Claude Code names. */
export type NativeTool =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "files"; readonly path: string; readonly change: "add" | "update"; readonly text: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly arguments: JsonObject };

const text = (input: JsonObject, ...names: readonly string[]): string => {
  const found = names.map((name) => input[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
};

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The command line as Codex shows it. */
export const shellLine = (command: string): string => `/bin/bash -lc ${quote(command)}`;

export function nativeTool(name: string, input: JsonObject, cwd: string): NativeTool {
  if (name === "Bash" || name === "exec_command") return { kind: "command", command: text(input, "command", "cmd") };
  if (name === "Write" || name === "Edit" || name === "apply_patch") {
    const path = resolve(cwd, text(input, "file_path", "path"));
    const change = name === "Edit" ? "update" : "add";
    return { kind: "files", path, change, text: text(input, "content", "new_string") };
  }
  const [, server = "fake", tool = name] = /^mcp__((?:[^_]|_(?!_))+)__(.+)$/.exec(name) ?? [];
  return { kind: "mcp", server, tool, arguments: input };
}
