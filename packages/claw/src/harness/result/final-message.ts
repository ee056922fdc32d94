import type { MessageStart } from "../stream/run-update.ts";

/** What the last message of the agent says about how the run ended. */
export interface FinalMessage {
  readonly stopReason: string | null;
  readonly endsWithQuestion: boolean;
  /** Whether the message calls the tool for questions to the user. */
  readonly asks: boolean;
}

export interface FinalMessageTracker {
  /** Begins a message, or continues the current message when the id is the same. */
  start(message: MessageStart): void;
  addText(text: string): void;
  addCall(name: string): void;
  final(): FinalMessage;
}

const ASKING_TOOL = "AskUserQuestion";

export function createFinalMessageTracker(): FinalMessageTracker {
  let id: string | null = null;
  let stopReason: string | null = null;
  let endsWithQuestion = false;
  let asks = false;
  return {
    start(message) {
      const isSame = id !== null && id === message.id;
      ({ id } = message);
      stopReason = isSame ? (message.stopReason ?? stopReason) : message.stopReason;
      if (isSame) return;
      endsWithQuestion = false;
      asks = false;
    },
    addText(text) {
      const trimmed = text.trimEnd();
      if (trimmed !== "") endsWithQuestion = trimmed.endsWith("?");
    },
    addCall(name) {
      if (name === ASKING_TOOL) asks = true;
    },
    final: () => ({ stopReason, endsWithQuestion, asks }),
  };
}
