import type { Extensions } from "../extension/extension.ts";
import type { Store } from "../publish/store-event.ts";
import type { Terminals } from "./terminals.ts";
import { appendEvents } from "../publish/store-event.ts";

export interface TextToType {
  readonly terminalId: string;
  readonly text: string;
  readonly paste: boolean;
  /** Peer that asked to type the text; the server when absent. */
  readonly from?: string;
}

/** Terminals to type into, and the log for commands to agents. */
export interface TypingShelves extends Store {
  readonly terminals: Terminals;
  readonly extensions: Pick<Extensions, "agentIn">;
}

/**
 * Types a text and Enter into a terminal, whatever its program shows. In a terminal with an agent, Enter would answer
 * the agent's question. There the text becomes a command to the agent's worker, which is typed when the agent's prompt
 * is open. Resolves with `typed` or `commanded`. Rejects as `Terminals.inject` does, or when the command could not be
 * stored.
 */
export async function typeText(context: TypingShelves, typed: TextToType): Promise<"typed" | "commanded"> {
  const { terminalId, text, paste, from = "server" } = typed;
  const peerId = context.extensions.agentIn(terminalId);
  if (peerId === undefined) {
    await context.terminals.inject(terminalId, text, { paste });
    return "typed";
  }
  const command = { topic: `cmd.${peerId}.inject_text`, payload: { text }, from };
  await new Promise<void>((resolve, reject) => {
    appendEvents(context, [command], (outcome) => (outcome instanceof Error ? reject(outcome) : resolve()));
  });
  return "commanded";
}
