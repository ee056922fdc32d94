import { pairs } from "../../../../text/text-layout.ts";
import { defineCommand, said } from "../../command.ts";

export const skills = defineCommand({
  name: "skills",
  responsibility: "Lists the skills that are found for this folder.",
  run: async (_words, { commands, paint }) => {
    const found = commands.filter(({ kind }) => kind === "skill");
    if (found.length === 0) return said("There are no skills here. One is a folder .claw/skills/NAME with a SKILL.md.");
    return said(
      pairs(
        found.map(({ name, responsibility }) => [`/${name}`, responsibility]),
        paint,
      ),
    );
  },
});
