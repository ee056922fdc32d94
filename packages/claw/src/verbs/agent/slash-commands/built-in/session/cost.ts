import type { ModelUsage } from "../../../../../agent/index.ts";
import { pairs } from "../../../../text/text-layout.ts";
import type { CommandContext } from "../../command.ts";
import { defineCommand, said } from "../../command.ts";
import { readNewestSession } from "../../stored-session.ts";

interface Spent {
  readonly id: string;
  readonly model: string | null;
  readonly usage: ModelUsage;
  readonly costUsd: number | null;
}

async function spentBy({ session, ports }: CommandContext): Promise<Spent> {
  if (session !== null) return { id: session.id(), ...session.cost() };
  return readNewestSession(ports);
}

const CENTS_OF_CENTS = 4;

export const cost = defineCommand({
  name: "cost",
  responsibility: "Says what the session has used and costs; outside of one, the newest that is stored.",
  run: async (_words, context) => {
    const { id, model, usage, costUsd } = await spentBy(context);
    const rows: [string, string][] = [
      ["session", id],
      ["model", model ?? "unknown"],
      ["input tokens", String(usage.input_tokens)],
      ["output tokens", String(usage.output_tokens)],
      ["cache writes", String(usage.cache_creation_input_tokens)],
      ["cache reads", String(usage.cache_read_input_tokens)],
      ["cost", costUsd === null ? "unknown" : `$${costUsd.toFixed(CENTS_OF_CENTS)}`],
    ];
    return said(pairs(rows, context.paint));
  },
});
