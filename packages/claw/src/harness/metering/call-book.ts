import type { AgentTotal, CallFact, CallTokens, ModelCall } from "./model-call.ts";
import { STREAM_THREAD } from "./model-call.ts";

/** A counted call, with its model; null when no source names the model. */
export interface CountedCall {
  readonly id: string;
  readonly model: string | null;
  readonly tokens: CallTokens;
}

/** Counts every call of a model once, however many sources tell of it. */
export interface CallBook {
  /** Takes in a fact. Returns the calls that count from now on, and did not before. */
  take(fact: CallFact): readonly CountedCall[];
  /** A call or a question with this id was counted before, for example in an earlier life of the same worker. */
  ignore(id: string): void;
  /**
   * Closes the book after the agent's process has ended: open questions get no answer. Returns the ids of these
   * questions, and of all questions that were cut off before. For the main conversation, a stream that was heard
   * decides which questions are open, because files are written later.
   */
  close(): readonly string[];
  /** Totals the agent carried over from processes that ended in good order; null without totals. */
  carried(): AgentTotal | null;
  /** Model of the main conversation: the first model that a source names; null before. */
  model(): string | null;
}

/** Ids of a thread's questions, unique among all threads. */
const idsOf = (thread: string, asked: ReadonlySet<string> = new Set()): string[] =>
  [...asked].map((id) => `${thread}?${id}`);

class CountingBook implements CallBook {
  readonly #counted = new Set<string>();
  readonly #models = new Map<string, string>();
  /** Open questions by thread. */
  readonly #open = new Map<string, Set<string>>();
  /** Ids of questions that were cut off. */
  #cut: string[] = [];
  /**
   * `#heard`: calls told by a record or a count. `#waiting`: number of equal calls told by only one of the two sources.
   */
  readonly #heard = new Set<string>();
  readonly #waiting = new Map<string, number>();
  #carried: AgentTotal | null = null;
  #model: string | null = null;

  take(fact: CallFact): readonly CountedCall[] {
    switch (fact.kind) {
      case "call":
        return this.#count(fact.call);
      case "asked":
        this.#open.set(fact.thread, (this.#open.get(fact.thread) ?? new Set()).add(fact.id));
        return [];
      case "settled":
        this.#settle(fact.thread, fact.id);
        return [];
      case "cut":
        this.#cut.push(...idsOf(fact.thread, this.#open.get(fact.thread)));
        this.#open.delete(fact.thread);
        return [];
      case "model":
        this.#models.set(fact.thread, fact.model);
        this.#model ??= fact.model;
        return [];
      case "carried":
        this.#carried = fact.total;
        return [];
    }
  }

  ignore(id: string): void {
    this.#counted.add(id);
  }

  close(): readonly string[] {
    this.#matchHeard();
    const ids = [...this.#cut, ...[...this.#open].flatMap(([thread, asked]) => idsOf(thread, asked))];
    this.#open.clear();
    this.#cut = [];
    return ids.filter((id) => !this.#counted.has(id));
  }

  carried(): AgentTotal | null {
    return this.#carried;
  }

  model(): string | null {
    return this.#model;
  }

  #count(call: ModelCall): readonly CountedCall[] {
    const { id, thread, model, tokens, isFinal } = call;
    if (!isFinal) return [];
    const isKnown = this.#isKnownOtherwise(call);
    if (isKnown || this.#counted.has(id)) return [];
    this.#counted.add(id);
    const named = model ?? this.#models.get(thread) ?? this.#model;
    this.#model ??= named;
    return [{ id, model: named, tokens }];
  }

  /** Whether the other source (record or count) told this call before: a call with the same tokens, not yet matched. */
  #isKnownOtherwise({ id, thread, tokens, via }: ModelCall): boolean {
    if (via === undefined || this.#heard.has(`${via} ${id}`)) return false;
    this.#heard.add(`${via} ${id}`);
    const keyOf = (source: string): string => [source, thread, ...Object.values(tokens)].join(" ");
    const [own, other] = [keyOf(via), keyOf(via === "record" ? "count" : "record")];
    const waiting = this.#waiting.get(other) ?? 0;
    if (waiting > 0) this.#waiting.set(other, waiting - 1);
    else this.#waiting.set(own, (this.#waiting.get(own) ?? 0) + 1);
    return waiting > 0;
  }

  /**
   * The stream tells whether the main conversation has an open question. The file tells the id of the question, by
   * which other readers find the question again.
   */
  #matchHeard(): void {
    const [heard, written] = [this.#open.get(STREAM_THREAD), [...(this.#open.get("") ?? [])].at(-1)];
    if (heard === undefined) return;
    this.#open.delete("");
    if (heard.size === 0 || written === undefined) return;
    this.#open.delete(STREAM_THREAD);
    this.#open.set("", new Set([written]));
  }

  #settle(thread: string, id: string | null): void {
    const open = this.#open.get(thread);
    if (id === null) open?.clear();
    else open?.delete(id);
  }
}

export const createCallBook = (): CallBook => new CountingBook();
