import type { McpPrompt } from "../../../agent/index.ts";
import { promptUsage } from "../../../agent/index.ts";
import type { SlashCommand } from "./command.ts";
import { declined, said } from "./command.ts";

/** A prompt of an MCP server as a command: in a session, the agent is asked what the server makes of it. */
export const promptCommand = ({ name, server, description, arguments: known, get }: McpPrompt): SlashCommand => ({
  name,
  responsibility: description,
  usage: promptUsage(known),
  sourceHint: `mcpServers.${server}`,
  kind: "plugin",
  interactiveOnly: true,
  run: async (words, { session }, signal) => {
    if (session === null) return declined(`The prompt is used in a session, or as \`claw -p "/${name} …"\`.`);
    const text = (await get(words, signal)).trim();
    if (text === "") return declined(`The MCP server ${server} gave an empty prompt.`);
    session.submit(text);
    return said(text);
  },
});
