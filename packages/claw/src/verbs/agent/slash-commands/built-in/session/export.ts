import { defineCommand } from "../../command.ts";

export const exportCommand = defineCommand({
  name: "export",
  responsibility: "Writes the session as Markdown, to a new file or as the answer.",
  usage: "[FILE]",
  run: async (words, { call, session, dryRun }) => {
    const { text, data } = await call("export", {
      sessionId: session?.id() ?? "latest",
      format: "markdown",
      uncommitted: false,
      yes: false,
      dryRun,
      ...(words === "" ? {} : { path: words }),
    });
    const affects = data.would_affect === undefined ? {} : { wouldAffect: data.would_affect };
    return { handled: true, message: text, effect: data.effect, ...affects };
  },
});
