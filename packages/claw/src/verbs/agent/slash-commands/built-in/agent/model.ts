import { declined, defineCommand, said } from "../../command.ts";

export const model = defineCommand({
  name: "model",
  responsibility: "Says which model answers, or lets another one answer from now on.",
  usage: "[MODEL]",
  interactiveOnly: true,
  run: async (words, { session }) => {
    if (session === null) {
      return declined("No session runs whose model could change. `claw status` says which one a session would use.");
    }
    if (words === "") return said(`The model is ${session.model()}.`);
    const before = session.model();
    await session.setModel(words);
    return said(before === words ? `The model is ${words} already.` : `The model is ${words} now, it was ${before}.`);
  },
});
