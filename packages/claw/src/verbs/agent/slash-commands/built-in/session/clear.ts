import { declined, defineCommand, said } from "../../command.ts";

export const clear = defineCommand({
  name: "clear",
  responsibility: "Goes on in a new, empty session; the one before stays stored.",
  interactiveOnly: true,
  run: async (_words, { session }, signal) => {
    if (session === null) {
      return declined("No session runs that could be cleared. `claw delete-session ID` removes a stored one.");
    }
    const before = session.id();
    await session.clear(signal);
    return said(`This is ${session.id()} now. Back to the one before: /resume ${before}`);
  },
});
