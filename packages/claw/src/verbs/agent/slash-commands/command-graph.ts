import type { VerbOutput } from "claw-contract";
import type { SlashCommand } from "./command.ts";
import { handle } from "../../runtime/handle.ts";
import { describeCommand, listCommands } from "./list-commands.ts";
import type { Paint } from "../../runtime/paint.ts";
import { pairs, plural } from "../../text/text-layout.ts";

type Entry = VerbOutput<"command-graph">["builtins"][number];

function section(title: string, entries: readonly Entry[], paint: Paint): string[] {
  if (entries.length === 0) return [];
  const rows = entries.map(({ name, responsibility }): [string, string] => [`/${name}`, responsibility]);
  return [`${paint.bold(title)}\n${pairs(rows, paint)}`];
}

export const handler = handle("command-graph", {
  run: async (_input, ports) => {
    const commands = await listCommands(ports);
    const ofKind = (kind: SlashCommand["kind"]): Entry[] =>
      commands.filter((command) => command.kind === kind).map(describeCommand);
    const [builtins, pluginLike, skillLike] = [ofKind("builtin"), ofKind("plugin"), ofKind("skill")];
    return {
      builtins_count: builtins.length,
      plugin_like_count: pluginLike.length,
      skill_like_count: skillLike.length,
      total_count: commands.length,
      builtins,
      plugin_like: pluginLike,
      skill_like: skillLike,
    };
  },
  show: ({ builtins, plugin_like, skill_like, total_count }, paint) =>
    [
      ...section("Commands", builtins, paint),
      ...section("Of plugins", plugin_like, paint),
      ...section("Skills", skill_like, paint),
      plural(total_count, "command"),
    ].join("\n\n"),
});
