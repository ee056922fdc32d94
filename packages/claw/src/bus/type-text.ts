import { appendEvents } from "./append-events.ts";
import type { BusContext } from "./bus-context.ts";

export interface TextToType {
  readonly terminalId: string;
  readonly text: string;
  readonly paste: boolean;
  /** Peer that wants it typed; the server itself where there is none. */
  readonly from?: string;
}

/**
 * Types a text and Enter into a terminal, whatever its program shows. Where an agent runs, whose questions Enter would
 * answer, the text becomes a command to that agent's worker instead, which is typed when the agent's prompt is open.
 * Resolves with which of both it was; rejects as `Terminals.inject` does, or when the command could not be stored.
 */
export async function typeText(context: BusContext, typed: TextToType): Promise<"typed" | "commanded"> {
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
