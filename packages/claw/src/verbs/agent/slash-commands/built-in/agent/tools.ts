import { defineCommand, said } from "../../command.ts";

export const tools = defineCommand({
  name: "tools",
  responsibility: "Lists the tools that the agent may call in this folder.",
  run: async (_words, { call }) => said((await call("tool-pool", { simpleMode: false, noMcp: false })).text),
});
