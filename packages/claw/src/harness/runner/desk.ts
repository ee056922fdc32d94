import type { AgentAnswer, AgentQuestion, HarnessId } from "@claw/contract";
import { LIMITS } from "@claw/contract";
import type { Dialogue, Frame } from "../dialogue.ts";
import type { RunItem } from "../run-reader.ts";
import type { AgentRequest } from "../run-update.ts";
import type { StreamMessage } from "../stream-message.ts";

/** Answers a question of an agent. A rejection counts as a denial. */
export type Decide = (question: AgentQuestion, signal: AbortSignal) => Promise<AgentAnswer>;

export interface DeskOptions {
  readonly harness: HarnessId;
  readonly cwd: string;
  readonly dialogue: Dialogue;
  readonly decide: Decide;
  /** Sends frames to the agent, in order. Throws when they cannot be written as JSON. */
  readonly send: (frames: readonly Frame[]) => void;
  /** Called when the number of open questions has changed. */
  readonly onChange: () => void;
}

/** Where the questions of an agent are answered, several at a time. */
export interface Desk {
  /** Takes what was heard, sends what that calls for, and begins to answer what is asked. */
  take(items: readonly RunItem[]): void;
  /** Questions that wait for an answer. */
  open(): number;
  /** Whether the agent has said that the conversation cannot begin. */
  isRefused(): boolean;
  /** What was decided since the last call, for whoever follows the stream. */
  news(): readonly StreamMessage[];
  /** Gives up on all open questions. */
  close(): void;
}

const decided = ({ id, tool, about }: AgentRequest, { decision, message }: AgentAnswer): StreamMessage => ({
  type: "system",
  subtype: "permission_answered",
  request_id: id,
  about,
  tool_name: tool,
  decision,
  ...(message === undefined ? {} : { message }),
});

function questionOf(request: AgentRequest, { harness, cwd }: DeskOptions): AgentQuestion {
  const { id, about, tool, input, reason, native } = request;
  return { id, about, harness, tool, input, reason, cwd, event: native };
}

const failed = (error: unknown): AgentAnswer => ({
  decision: "deny",
  message: error instanceof Error ? error.message : "nobody could answer",
});

export function createDesk(options: DeskOptions): Desk {
  const { dialogue, send } = options;
  const waiting = new Map<string | number, AbortController>();
  const queue: AgentRequest[] = [];
  const news: StreamMessage[] = [];
  let answering = 0;
  let refused = false;

  const settle = (request: AgentRequest, answer: AgentAnswer): void => {
    // Withdrawn meanwhile: nobody waits for the answer any more.
    if (!waiting.has(request.id)) return;
    send([dialogue.answer(request, answer)]);
    waiting.delete(request.id);
    news.push(decided(request, answer));
    options.onChange();
  };
  const decide = async (request: AgentRequest, signal: AbortSignal): Promise<void> => {
    try {
      settle(request, await options.decide(questionOf(request, options), signal));
    } catch (error) {
      // Nobody answered, or with something that cannot be sent.
      settle(request, failed(error));
    }
    answering -= 1;
    answerNext();
  };
  const answerNext = (): void => {
    const request = answering < LIMITS.runQuestionsAtOnce ? queue.shift() : undefined;
    if (request === undefined) return;
    const controller = waiting.get(request.id);
    if (controller === undefined) return answerNext();
    answering += 1;
    void decide(request, controller.signal);
  };
  const begin = (request: AgentRequest): void => {
    waiting.set(request.id, new AbortController());
    queue.push(request);
    answerNext();
  };
  const takeOne = ({ native, updates }: RunItem): void => {
    refused ||= dialogue.refused(native);
    const frames = dialogue.heard(native);
    if (frames.length > 0) send(frames);
    const withdrawn = dialogue.withdrawn(native);
    if (withdrawn !== null) waiting.get(withdrawn)?.abort();
    if (withdrawn !== null) waiting.delete(withdrawn);
    for (const update of updates) if (update.kind === "request") begin(update);
  };
  return {
    take: (items) => {
      for (const item of items) takeOne(item);
    },
    open: () => waiting.size,
    isRefused: () => refused,
    news: () => news.splice(0),
    close: () => {
      for (const controller of waiting.values()) controller.abort();
      waiting.clear();
      queue.length = 0;
    },
  };
}
