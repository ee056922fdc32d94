import type { JsonObject } from "@claw/contract";
import type { Dialogue, Frame, SaidText } from "../../dialogue.ts";
import { NOTHING_SAID } from "../../dialogue.ts";
import { isObject, objectOf, stringOf } from "../../json-fields.ts";

/** What is said while it works: to the turn that goes on, or as one of its own. */
export interface CodexSaying extends Pick<Dialogue, "say" | "heardOf"> {
  /** The thread it is said in. */
  thread(id: string | null): string | null;
}

export const textInput = (text: string): JsonObject[] => [{ type: "text", text, text_elements: [] }];

interface Asked {
  readonly textId: string;
  /** Turn it was said to; null when it was to be a turn of its own. */
  readonly turnId: string | null;
}

class Saying implements CodexSaying {
  /** Requests that are not answered yet. */
  readonly #asked = new Map<unknown, Asked>();
  /** What the agent has, and has not shown among the items of its thread. */
  readonly #held = new Set<string>();
  #threadId: string | null = null;
  #turnId: string | null = null;
  /** The turn that would not be told anything, null for the time between turns: it is not asked again and again. */
  #deafTo: string | null | undefined;
  /** Whether its items name what we called them. Older servers do not, and their answer has to do. */
  #namesItems = false;
  #lastId: number;

  constructor(lastId: number) {
    this.#lastId = lastId;
  }

  thread(id: string | null): string | null {
    return (this.#threadId = id);
  }

  say(text: string, id: string): readonly Frame[] | null {
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
    // Sub-agents have threads of their own on the same connection.
    if ((stringOf(params["threadId"]) ?? this.#threadId) !== this.#threadId) return NOTHING_SAID;
    switch (native["method"]) {
      case undefined:
        return this.#heardAnswer(native);
      case "turn/started":
        this.#turnId = stringOf(objectOf(params["turn"])["id"]);
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
    const id = stringOf(item["clientId"]);
    if (id === null) return NOTHING_SAID;
    this.#held.delete(id);
    return [{ id, fate: "taken" }];
  }

  /** What a turn has and ends without is not in the conversation. */
  #giveBack(): readonly SaidText[] {
    const held = [...this.#held];
    this.#held.clear();
    return held.map((id) => ({ id, fate: "refused" }));
  }
}

/** `lastId` is the last id that requests of the conversation itself have. */
export const createCodexSaying = (lastId: number): CodexSaying => new Saying(lastId);
