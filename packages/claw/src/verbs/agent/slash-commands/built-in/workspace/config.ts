import { defineCommand, said } from "../../command.ts";

export const configCommand = defineCommand({
  name: "config",
  responsibility: "Shows every setting, or those of one section, with the file that set it.",
  usage: "[SECTION]",
  run: async (words, { call }) => said((await call("config", words === "" ? {} : { section: words })).text),
});
