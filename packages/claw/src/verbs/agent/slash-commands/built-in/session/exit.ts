import { declined, defineCommand, said } from "../../command.ts";

export const exit = defineCommand({
  name: "exit",
  responsibility: "Ends the session.",
  interactiveOnly: true,
  run: async (_words, { session }) => {
    if (session === null) return declined("No session runs that could end.");
    session.exit();
    return said("Ended.");
  },
});
