import { loadSettings } from "../../../../../settings/index.ts";
import type { McpServerState } from "../../../../../agent/index.ts";
import { pairs, plural } from "../../../../text/text-layout.ts";
import { defineCommand, said } from "../../command.ts";

const SERVER_KEY = /^mcpServers\.(.+)\.(command|url)$/;

/** The place of a server, without secrets: its program without arguments, or its host. */
function place(field: string, value: unknown): string {
  const text = String(value);
  if (field === "command") return `starts ${text}`;
  return URL.canParse(text) ? `at ${new URL(text).host}` : "at an address that is none";
}

/** The offers of a server in a running session, or why the server cannot be used. */
function stateText({ status, error, toolCount, promptCount, hasResources }: McpServerState): string {
  if (status === "lost") return `lost: ${error ?? "it is gone"}; the next call tries to reach it again`;
  if (status !== "connected") return `left out: ${error ?? "it cannot be used"}`;
  const offers = [
    plural(toolCount, "tool"),
    ...(promptCount === 0 ? [] : [plural(promptCount, "prompt")]),
    ...(hasResources ? ["resources"] : []),
  ];
  return `connected: ${offers.join(", ")}`;
}

export const mcp = defineCommand({
  name: "mcp",
  responsibility: "Lists the MCP servers whose tools the agent may call.",
  run: async (_words, { ports, paint, session }) => {
    const running = session?.servers() ?? [];
    const states = running.map((server): [string, string] => [server.name, stateText(server)]);
    if (states.length > 0) return said(pairs(states, paint));
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
