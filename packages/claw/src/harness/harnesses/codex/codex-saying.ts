import type { JsonObject } from "claw-contract";
import { isObject, objectOf, stringOrNull } from "claw-contract";
import type { Dialogue, DialogueFrame, SaidText } from "../../harness.ts";
import { NOTHING_SAID } from "../../harness.ts";

/** Sends texts while Codex works: to the running turn, or as a new turn. */
export interface CodexSaying extends Pick<Dialogue, "say" | "heardOf"> {
  /** Sets the thread that gets the texts, and returns the thread's id. */
  thread(id: string | null): string | null;
}

export const textInput = (text: string): JsonObject[] => [{ type: "text", text, text_elements: [] }];

interface SentText {
  readonly textId: string;
  /** Turn that the text was sent to; null when the text was to start a new turn. */
  readonly turnId: string | null;
}

class Saying implements CodexSaying {
  /** Requests that are not answered yet. */
  readonly #asked = new Map<unknown, SentText>();
  /** Texts that the agent has accepted and has not yet shown among the items of its thread. */
  readonly #held = new Set<string>();
  #threadId: string | null = null;
  #turnId: string | null = null;
  /** The turn that refused a text; null for the time between turns. No further text is sent to this turn. */
  #deafTo: string | null | undefined;
  /**
   * Whether the server's items carry the ids that claw gave. Older servers do not; then the answer to the frame is
   * enough.
   */
  #namesItems = false;
  #lastId: number;

  constructor(lastId: number) {
    this.#lastId = lastId;
  }

  thread(id: string | null): string | null {
    return (this.#threadId = id);
  }

  say(text: string, id: string): readonly DialogueFrame[] | null {
    const turnId = this.#turnId;
    if (this.#threadId === null || turnId === this.#deafTo) return null;
    this.#lastId += 1;
    this.#asked.set(this.#lastId, { textId: id, turnId });
    const params = { threadId: this.#threadId, input: textInput(text), clientUserMessageId: id };
    return turnId === null
      ? [{ method: "turn/start", id: this.#lastId, params }]
      : [{ method: "turn/steer", id: this.#lastId, params: { ...params, expectedTurnId: turnId } }];
  }

  heardOf(native: JsonObject): readonly SaidText[] {
    const params = objectOf(native["params"]);
    // Sub-agents have separate threads on the same connection.
    if ((stringOrNull(params["threadId"]) ?? this.#threadId) !== this.#threadId) return NOTHING_SAID;
    switch (native["method"]) {
      case undefined:
        return this.#heardAnswer(native);
      case "turn/started":
        this.#turnId = stringOrNull(objectOf(params["turn"])["id"]);
        return NOTHING_SAID;
      case "turn/completed":
        this.#turnId = null;
        return this.#giveBack();
      case "item/started":
        return this.#heardItem(objectOf(params["item"]));
      default:
        return NOTHING_SAID;
    }
  }

  #heardAnswer(native: JsonObject): readonly SaidText[] {
    const asked = this.#asked.get(native["id"]);
    if (asked === undefined) return NOTHING_SAID;
    const { textId, turnId } = asked;
    this.#asked.delete(native["id"]);
    if (isObject(native["error"])) {
      this.#deafTo = turnId;
      return [{ id: textId, fate: "refused" }];
    }
    if (!this.#namesItems) return [{ id: textId, fate: "taken" }];
    this.#held.add(textId);
    return [{ id: textId, fate: "read" }];
  }

  #heardItem(item: JsonObject): readonly SaidText[] {
    if (item["type"] !== "userMessage") return NOTHING_SAID;
    this.#namesItems ||= Object.hasOwn(item, "clientId");
    const id = stringOrNull(item["clientId"]);
    if (id === null) return NOTHING_SAID;
    this.#held.delete(id);
    return [{ id, fate: "taken" }];
  }

  /** A text that the turn accepted and did not show before the turn's end is not in the conversation. */
  #giveBack(): readonly SaidText[] {
    const held = [...this.#held];
    this.#held.clear();
    return held.map((id) => ({ id, fate: "refused" }));
  }
}

/** `lastId`: the last id that the frames opening the conversation use. */
export const createCodexSaying = (lastId: number): CodexSaying => new Saying(lastId);
