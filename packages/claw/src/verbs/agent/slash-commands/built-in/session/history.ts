import { ClawError, LIMITS, oneLine } from "claw-contract";
import { cutToWidth } from "../../../../text/text-width.ts";
import type { CommandContext } from "../../command.ts";
import { defineCommand, said } from "../../command.ts";
import { readNewestSession } from "../../stored-session.ts";

function countOf(words: string): number {
  if (words === "") return LIMITS.historyDefault;
  const count = Number(words);
  if (/^\d+$/.test(words) && count > 0 && count <= LIMITS.historyMax) return count;
  throw new ClawError("INVALID_HISTORY_COUNT", `'${words.slice(0, 200)}' is not a number of prompts`, {
    operation: "parse_arguments",
    target: "COUNT",
    hint: `Give a whole number from 1 to ${LIMITS.historyMax}.`,
  });
}

async function promptsOf({ session, ports }: CommandContext): Promise<readonly string[]> {
  return session === null ? (await readNewestSession(ports)).prompts : session.prompts();
}

export const history = defineCommand({
  name: "history",
  responsibility: "Lists what was asked in the session; outside of one, in the newest that is stored.",
  usage: "[COUNT]",
  run: async (words, context) => {
    const count = countOf(words);
    const prompts = await promptsOf(context);
    const first = Math.max(0, prompts.length - count);
    const lines = prompts
      .slice(first)
      .map((prompt, index) => `${first + index + 1}. ${cutToWidth(oneLine(prompt), LIMITS.historyLineChars)}`);
    return said(lines.length === 0 ? "Nothing was asked yet." : lines.join("\n"));
  },
});
