import { defineCommand, said } from "../../command.ts";

export const versionCommand = defineCommand({
  name: "version",
  responsibility: "Says which version of claw this is.",
  run: async (_words, { call }) => said((await call("version", {})).text),
});
