import { requireMode } from "../../../permission-mode.ts";
import { declined, defineCommand, said } from "../../command.ts";

export const permissions = defineCommand({
  name: "permissions",
  responsibility: "Says what the agent may do unasked, or changes it.",
  usage: "[MODE]",
  interactiveOnly: true,
  run: async (words, { session }) => {
    if (session === null) {
      return declined("No session runs whose permissions could change. `claw status` says which mode would hold.");
    }
    if (words === "") return said(`The permission mode is ${session.permissionMode()}.`);
    const mode = requireMode({ value: words, source: "flag", variable: null });
    await session.setPermissionMode(mode);
    return said(`The permission mode is ${mode} now.`);
  },
});
