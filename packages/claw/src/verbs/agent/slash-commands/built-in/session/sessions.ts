import { LIMITS } from "claw-contract";
import { defineCommand, said } from "../../command.ts";

export const sessions = defineCommand({
  name: "sessions",
  responsibility: "Lists the stored sessions of this folder, newest first.",
  run: async (_words, { call }) => said((await call("list-sessions", { limit: LIMITS.listDefault })).text),
});
