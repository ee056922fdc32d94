import type { HarnessId, JsonObject } from "claw-contract";
import type { RunItem } from "./run-reader.ts";
import type { RunUpdate } from "./run-update.ts";
import type { StreamMessage } from "./stream-message.ts";
import { messagesOf, nativeMessage } from "./stream-message.ts";

interface Meaning {
  readonly line: string;
  readonly updates: readonly RunUpdate[];
  /** Whether the object already has a shape that `stream-json` prints. */
  readonly isMessage: boolean;
  /** Whether `stream-json` prints no line for the object. */
  readonly isSilent?: boolean;
}

/** Builds `messages` only on demand, because most readers do not use messages. */
class LazyItem implements RunItem {
  readonly native: JsonObject;
  readonly line: string;
  readonly updates: readonly RunUpdate[];
  readonly #harness: HarnessId;
  readonly #isMessage: boolean;
  readonly #isSilent: boolean;

  constructor(harness: HarnessId, native: JsonObject, { line, updates, isMessage, isSilent = false }: Meaning) {
    this.native = native;
    this.line = line;
    this.updates = updates;
    this.#harness = harness;
    this.#isMessage = isMessage;
    this.#isSilent = isSilent;
  }

  get messages(): readonly StreamMessage[] {
    if (this.#isSilent) return [];
    if (this.#isMessage) return [this.native as StreamMessage];
    const messages = messagesOf(this.updates);
    return messages.length === 0 ? [nativeMessage(this.#harness, this.native)] : messages;
  }
}

export const createRunItem = (harness: HarnessId, native: JsonObject, meaning: Meaning): RunItem =>
  new LazyItem(harness, native, meaning);
