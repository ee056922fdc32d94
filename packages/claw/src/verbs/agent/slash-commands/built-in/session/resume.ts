import { foreignSession } from "../../../turns/resumed-session.ts";
import { plural } from "../../../../text/text-layout.ts";
import { declined, defineCommand, said } from "../../command.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  responsibility: "Goes on in a stored session: the newest, or the one that is named.",
  usage: "[SESSION]",
  interactiveOnly: true,
  run: async (words, { session }, signal) => {
    if (session === null) {
      return declined("No session runs that could go on in another. `claw load-session ID` says what one holds.");
    }
    const { messages, isOwn } = await session.resume(words === "" ? "latest" : words, signal);
    const text = `This is ${session.id()} now, with ${plural(messages, "message")}.`;
    return said(isOwn ? text : `${text}\n${foreignSession(session.id())}`);
  },
});
