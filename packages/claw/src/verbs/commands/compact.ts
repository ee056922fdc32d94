import { plural } from "../text-layout.ts";
import { declined, defineCommand, said } from "./command.ts";

export const compact = defineCommand({
  name: "compact",
  responsibility: "Replaces the older messages of the session by a summary.",
  interactiveOnly: true,
  run: async (_words, { session }, signal) => {
    if (session === null) {
      return declined("No session runs that could be compacted. One that is continued is compacted when it must be.");
    }
    const { removedMessages } = await session.compact(signal);
    if (removedMessages === 0) return declined("There is nothing to compact yet.");
    return said(`Replaced ${plural(removedMessages, "message")} by a summary.`);
  },
});
