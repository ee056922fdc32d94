import type { AgentAnswer, AgentQuestion, HarnessId } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { Dialogue, DialogueFrame, SaidText } from "../harness.ts";
import type { RunItem } from "../stream/run-reader.ts";
import type { AgentRequest } from "../stream/run-update.ts";
import type { StreamMessage } from "../stream/stream-message.ts";
import { createWarningList } from "../stores/limited-stores.ts";
import { requireFlat } from "./require-flat.ts";

/** An answer, or a denial because the question got no answer. */
export interface AgentDecision extends AgentAnswer {
  /** Why the question got no answer. */
  readonly problem?: string;
}

/** Answers a question of an agent. A rejection counts as a denial. */
export type Decide = (question: AgentQuestion, signal: AbortSignal) => Promise<AgentDecision>;

export interface QuestionQueueOptions {
  readonly harness: HarnessId;
  readonly cwd: string;
  readonly dialogue: Dialogue;
  readonly decide: Decide;
  /** Sends frames to the agent, in order. Throws when they cannot be written as JSON. */
  readonly send: (frames: readonly DialogueFrame[]) => void;
  /** Called when the number of open questions has changed. */
  readonly onChange: () => void;
}

/** Where the questions of an agent are answered, several at a time. */
export interface QuestionQueue {
  /** Takes new items of the stream, sends the frames that the items call for, and starts to answer requests. */
  take(items: readonly RunItem[]): void;
  /** Questions that wait for an answer. */
  open(): number;
  /** Whether the agent has said that the conversation cannot begin. */
  isRefused(): boolean;
  /** Decisions since the last call, as messages for readers of the stream. */
  news(): readonly StreamMessage[];
  /** Warnings about questions that got no answer. */
  problems(): readonly string[];
  /** Sends another text to the agent. False when the agent cannot take text now. */
  say(text: string, id: string): boolean;
  /** Number of sent texts that the agent has neither taken nor refused yet. */
  unheard(): number;
  /** Reports about sent texts since the last call. */
  said(): readonly SaidText[];
  /** Gives up on all open questions. */
  close(): void;
}

const decided = ({ id, tool, about }: AgentRequest, { decision, message, problem }: AgentDecision): StreamMessage => ({
  type: "system",
  subtype: "permission_answered",
  request_id: id,
  about,
  tool_name: tool,
  decision,
  ...(message === undefined ? {} : { message }),
  ...(problem === undefined ? {} : { problem }),
});

function questionOf(request: AgentRequest, { harness, cwd }: QuestionQueueOptions): AgentQuestion {
  const { id, about, tool, input, reason, native } = request;
  return { id, about, harness, tool, input, reason, cwd, event: native };
}

function failedDecision(error: unknown): AgentDecision {
  const message = error instanceof Error ? error.message : "no answer could be given";
  return { decision: "deny", message, problem: message };
}

/** Questions that wait for an answer. At most `LIMITS.runQuestionsAtOnce` questions are asked at a time. */
class Questions {
  readonly #options: QuestionQueueOptions;
  /** Throws when the answer cannot be sent. */
  readonly #answered: (request: AgentRequest, answer: AgentDecision) => void;
  readonly #waiting = new Map<string | number, AbortController>();
  #queue: AgentRequest[] = [];
  #answering = 0;

  constructor(options: QuestionQueueOptions, answered: (request: AgentRequest, answer: AgentDecision) => void) {
    this.#options = options;
    this.#answered = answered;
  }

  open(): number {
    return this.#waiting.size;
  }

  add(request: AgentRequest): void {
    this.#waiting.set(request.id, new AbortController());
    this.#queue.push(request);
    this.#next();
  }

  withdraw(id: string | number): void {
    this.#waiting.get(id)?.abort();
    this.#waiting.delete(id);
  }

  clear(): void {
    this.#queue = [];
    for (const id of this.#waiting.keys()) this.withdraw(id);
  }

  #next(): void {
    const request = this.#answering < LIMITS.runQuestionsAtOnce ? this.#queue.shift() : undefined;
    if (request === undefined) return;
    const controller = this.#waiting.get(request.id);
    if (controller === undefined) return this.#next();
    this.#answering += 1;
    void this.#put(request, controller.signal);
  }

  async #put(request: AgentRequest, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#options.decide(questionOf(request, this.#options), signal);
      requireFlat(answer);
      this.#settle(request, answer);
    } catch (error) {
      // `decide` rejected, or the answer could not be sent.
      this.#settle(request, failedDecision(error));
    }
    this.#answering -= 1;
    this.#next();
  }

  #settle(request: AgentRequest, answer: AgentDecision): void {
    // The request was withdrawn meanwhile: the agent no longer waits for the answer.
    if (!this.#waiting.has(request.id)) return;
    this.#answered(request, answer);
    this.#waiting.delete(request.id);
    this.#options.onChange();
  }
}

/** Texts sent to an agent while the agent works, kept until the agent takes or refuses the text. */
function createSpeech({ dialogue, send }: QuestionQueueOptions) {
  /**
   * Ids of sent texts. A text counts as taken when the turn with the stored number begins, unless the agent reports
   * earlier.
   */
  const unheard = new Map<string, number>();
  const read = new Set<string>();
  const said: SaidText[] = [];
  let turns = 0;
  const settle = (text: SaidText): void => {
    const { id, fate } = text;
    if (!unheard.has(id) || (fate === "read" && read.has(id))) return;
    said.push(text);
    if (fate === "read") return void read.add(id);
    unheard.delete(id);
    read.delete(id);
  };
  return {
    say: (text: string, id: string): boolean => {
      const frames = dialogue.say(text, id);
      if (frames === null) return false;
      unheard.set(id, Math.max(turns, 1) + 1);
      send(frames);
      return true;
    },
    take: ({ native, updates }: RunItem): void => {
      for (const text of dialogue.heardOf(native)) settle(text);
      if (!updates.some(({ kind }) => kind === "turn-started")) return;
      turns += 1;
      for (const [id, turn] of unheard) if (turn <= turns) settle({ id, fate: "taken" });
    },
    unheard: () => unheard.size,
    said: () => said.splice(0),
  };
}

export function createQuestionQueue(options: QuestionQueueOptions): QuestionQueue {
  const { dialogue, send } = options;
  const speech = createSpeech(options);
  const news: StreamMessage[] = [];
  const problems = createWarningList();
  let refused = false;
  const questions = new Questions(options, (request, answer) => {
    send(dialogue.answer(request, answer));
    news.push(decided(request, answer));
    if (answer.problem !== undefined) problems.add(`permission-unanswered: ${request.tool}: ${answer.problem}`);
  });
  const takeOne = (item: RunItem): void => {
    const { native, updates } = item;
    refused ||= dialogue.refused(native);
    speech.take(item);
    const frames = dialogue.heard(native);
    if (frames.length > 0) send(frames);
    const withdrawn = dialogue.withdrawn(native);
    if (withdrawn !== null) questions.withdraw(withdrawn);
    for (const update of updates) if (update.kind === "request") questions.add(update);
  };
  return {
    take: (items) => {
      for (const item of items) takeOne(item);
    },
    open: () => questions.open(),
    isRefused: () => refused,
    news: () => news.splice(0),
    problems: () => problems.all(),
    say: (text, id) => speech.say(text, id),
    unheard: () => speech.unheard(),
    said: () => speech.said(),
    close: () => questions.clear(),
  };
}
