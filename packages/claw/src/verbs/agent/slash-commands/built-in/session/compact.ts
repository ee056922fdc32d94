import type { Compaction } from "../../../../../sessions/index.ts";
import { count } from "../../../../runs/run-report.ts";
import { plural } from "../../../../text/text-layout.ts";
import { declined, defineCommand, said } from "../../command.ts";

/** Says whether the model wrote the summary, and how many tokens the summary took. */
function compactionText({ kind, fallbackReason, asked }: Compaction): string {
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = asked?.usage ?? {};
  const read = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
  const took = asked === null ? "" : ` (${count(read)} tokens in, ${count(asked.usage.output_tokens ?? 0)} out)`;
  if (kind === "model") return `The model wrote it${took}.`;
  return `It was made without the model${took}: ${fallbackReason ?? "it was not asked"}.`;
}

export const compact = defineCommand({
  name: "compact",
  responsibility: "Replaces the older messages of the session by a summary.",
  interactiveOnly: true,
  run: async (_words, { session }, signal) => {
    if (session === null) {
      return declined("No session runs that could be compacted. One that is continued is compacted when it must be.");
    }
    const made = await session.compact(signal);
    if (made === undefined) return declined("There is nothing to compact yet.");
    return said(`Replaced ${plural(made.removed, "message")} by a summary. ${compactionText(made)}`);
  },
});
