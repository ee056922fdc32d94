import { loadSettings } from "../../settings/index.ts";
import { pairs } from "../text-layout.ts";
import { defineCommand, said } from "./command.ts";

const SERVER_KEY = /^mcpServers\.(.+)\.(command|url)$/;

/** What may be shown of where a server is: its program without arguments, or its host. */
function place(field: string, value: unknown): string {
  const text = String(value);
  if (field === "command") return `starts ${text}`;
  return URL.canParse(text) ? `at ${new URL(text).host}` : "at an address that is none";
}

export const mcp = defineCommand({
  name: "mcp",
  responsibility: "Lists the MCP servers whose tools the agent may call.",
  run: async (_words, { ports, paint }) => {
    const rows = [...loadSettings(ports.cwd, ports.env).values.values()].flatMap(({ key, value }) => {
      const [, name, field] = SERVER_KEY.exec(key) ?? [];
      return name === undefined || field === undefined ? [] : [[name, place(field, value)] as const];
    });
    return said(
      rows.length === 0
        ? "No MCP servers are configured; `mcpServers` in the settings names them."
        : pairs(rows, paint),
    );
  },
});
