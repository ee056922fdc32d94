import { defineCommand, said } from "../../command.ts";

export const statusCommand = defineCommand({
  name: "status",
  responsibility: "Says where you are: model, permissions, usage, folder, git.",
  run: async (_words, { call, session }) => {
    const chosen = session === null ? {} : { model: session.model(), permissionMode: session.permissionMode() };
    return said((await call("status", chosen)).text);
  },
});
