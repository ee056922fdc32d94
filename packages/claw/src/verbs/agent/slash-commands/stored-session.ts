import type { PriceOverrides, SessionMessage, SessionRecord } from "claw-contract";
import { costOf, LIMITS } from "claw-contract";
import type { ModelUsage } from "../../../agent/index.ts";
import { addModelUsage, NO_USAGE } from "../../../agent/index.ts";
import { loadPrices } from "../../../settings/index.ts";
import type { Ports } from "../../runtime/handle.ts";

/** Facts about a stored session, read from its file. Turns without a commit do not count. */
export interface StoredSession {
  readonly id: string;
  readonly model: string | null;
  readonly usage: ModelUsage;
  /** Dollars; null when the price of a model that was asked is not known. */
  readonly costUsd: number | null;
  /** The newest prompts, as far as a history shows them, the oldest first. */
  readonly prompts: readonly string[];
}

interface Entry {
  readonly turn: string | undefined;
  readonly usage: ModelUsage;
  /** Null when the price of the model is not known. */
  readonly costUsd: number | null;
  readonly prompt: string | undefined;
}

function promptOf({ role, blocks }: SessionMessage): string | undefined {
  if (role !== "user") return undefined;
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n").slice(0, LIMITS.historyLineChars + 1);
}

/** The cost of a message in dollars; null when the price is not known. A message that no model wrote costs nothing. */
function costOfMessage({ usage, model = "" }: SessionMessage, prices: PriceOverrides): number | null {
  return usage === undefined ? 0 : (costOf(model, usage, prices) ?? null);
}

/** Adds up messages. Holds the messages of a turn back until the turn is committed. */
function createCollector(prices: PriceOverrides) {
  const open = new Map<string, Entry[]>();
  const prompts: string[] = [];
  let usage = NO_USAGE;
  let costUsd: number | null = 0;
  const take = (entry: Entry): void => {
    usage = addModelUsage(usage, entry.usage);
    costUsd = costUsd === null || entry.costUsd === null ? null : costUsd + entry.costUsd;
    if (entry.prompt !== undefined) prompts.push(entry.prompt);
    if (prompts.length > LIMITS.historyMax) prompts.shift();
  };
  return {
    onRecord: (record: SessionRecord): void => {
      if (record.type === "turn_commit") {
        for (const entry of open.get(record.turn_id) ?? []) take(entry);
        open.delete(record.turn_id);
      }
      if (record.type !== "message") return;
      const { turn_id: turn, message } = record;
      const entry = {
        turn,
        usage: addModelUsage(NO_USAGE, message.usage ?? {}),
        costUsd: costOfMessage(message, prices),
        prompt: promptOf(message),
      };
      if (turn === undefined) take(entry);
      else open.set(turn, [...(open.get(turn) ?? []), entry]);
    },
    collected: () => ({ usage, costUsd, prompts }),
  };
}

/** Reads the newest session. Throws NO_SESSIONS and what reading one can throw. */
export async function readNewestSession({ sessions, signal, cwd, env }: Ports): Promise<StoredSession> {
  const entry = sessions.find("latest");
  const { onRecord, collected } = createCollector(loadPrices(cwd, env).prices);
  const { meta } = await sessions.read(entry, { onRecord, signal, unchanged: true });
  return { id: entry.id, model: meta?.model ?? null, ...collected() };
}
