import { loadInstructions } from "../../../../../agent/index.ts";
import { configHome } from "../../../../../settings/index.ts";
import { plural } from "../../../../text/text-layout.ts";
import { defineCommand, said } from "../../command.ts";

export const memory = defineCommand({
  name: "memory",
  responsibility: "Lists the files whose instructions the agent follows here.",
  run: async (_words, { ports: { cwd, env } }) => {
    const { files, problems } = loadInstructions({ cwd, configHome: configHome(env) });
    const lines = files.map(({ path, text }) => `${path}  ${plural(text.length, "character")}`);
    if (lines.length === 0) lines.push("No instructions here; write them into AGENTS.md or CLAUDE.md.");
    return said([...lines, ...problems].join("\n"));
  },
});
