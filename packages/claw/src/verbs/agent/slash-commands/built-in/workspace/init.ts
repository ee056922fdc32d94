import { defineCommand } from "../../command.ts";

export const initCommand = defineCommand({
  name: "init",
  responsibility: "Prepares this folder: settings, a place for sessions, ignore rules for git.",
  run: async (_words, { call, dryRun }) => {
    const { text, data } = await call("init", { dryRun });
    const affects = data.would_affect === undefined ? {} : { wouldAffect: data.would_affect };
    return { handled: true, message: text, effect: data.effect, ...affects };
  },
});
