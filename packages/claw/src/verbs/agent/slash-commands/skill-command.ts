import type { SlashCommand, SkillEntry } from "./command.ts";
import { declined, said } from "./command.ts";

/** A skill as a command: in a session, the agent is asked to use it. */
export const skillCommand = ({ name, description, path }: SkillEntry): SlashCommand => ({
  name,
  responsibility: description,
  usage: "[TASK]",
  sourceHint: path,
  kind: "skill",
  interactiveOnly: true,
  run: async (words, { session }) => {
    if (session === null) {
      return declined(`A skill is used by the agent in a session; its instructions are in ${path}.`);
    }
    session.submit(`Use the skill "${name}"${words === "" ? "." : ` for this: ${words}`}`);
    return said(`The agent is asked to use ${name}.`);
  },
});
