import type { FakeStep, JsonObject } from "claw-contract";

type Step<T extends FakeStep["type"]> = Extract<FakeStep, { type: T }>;

export type ToolStep = Step<"tool">;
export type SubAgentStep = Step<"sub_agent">;
export type RetryStep = Step<"retry">;
export type FailStep = Step<"fail">;
export type StopStep = Step<"stop">;
export type PermissionStep = Step<"permission">;
export type QuestionStep = Step<"question">;

/** Text that goes to stderr instead of the stream. */
export interface Complaint {
  readonly complaint: string;
}

/** The output of an agent: lines of its stream in order, with complaints in between. */
export type Said = readonly (JsonObject | Complaint)[];

export const isComplaint = (said: JsonObject | Complaint): said is Complaint =>
  typeof said["complaint"] === "string" && Object.keys(said).length === 1;

/** A sub-agent that is at work. */
export interface SubAgent {
  readonly step: SubAgentStep;
  /** Id of the tool call that started the sub-agent. */
  readonly callId: string;
  readonly agentId: string;
  readonly runId: string;
}

/** A request to the other side of the conversation, with the id for the answer. */
export interface PlayedRequest {
  readonly id: string;
  readonly said: Said;
}

/** The answer of the other side; without another side the answer is a refusal. */
export interface PlayedAnswer {
  readonly allowed: boolean;
  /** Whether the refusal also stops all work. */
  readonly interrupt: boolean;
  /** The chosen option, or why it was refused. */
  readonly text: string;
}

/**
 * How a CLI words its output in a certain form, such as `stream-json`. Knows neither streams nor time. Remembers
 * earlier lines, because later lines refer to them.
 */
export interface Voice {
  /** Whether this CLI starts a turn when a background sub-agent ends. */
  readonly awaitsBackground: boolean;
  /** A turn begins. */
  open(prompt: string): Said;
  text(text: string, agent?: SubAgent): Said;
  thinking(text: string, agent?: SubAgent): Said;
  /** A call of a tool that needs no permission, and its result. */
  tool(step: ToolStep, agent?: SubAgent): Said;
  subAgentBegins(step: SubAgentStep): { readonly agent: SubAgent; readonly said: Said };
  subAgentEnds(agent: SubAgent): Said;
  retry(step: RetryStep): Said;
  /** The turn ends well. `about`: the sub-agent whose end made the CLI begin the turn. */
  close(about?: SubAgent): Said;
  /** The model's refusal ends the turn. */
  fail(step: FailStep): Said;
  /** A limit of the caller ends the turn; whether that is a failure differs. */
  stop(step: StopStep): { readonly said: Said; readonly failed: boolean };
  /** The caller ends the turn. */
  interrupted(): Said;
  /** Asks for permission; null when this form of the CLI cannot ask. */
  asks(step: PermissionStep): PlayedRequest | null;
  /** The tool ran: the other side allowed the call, or no permission was needed. */
  permits(step: PermissionStep, id: string | null): Said;
  /** The tool did not run. A null answer means that the CLI could not ask. */
  denies(step: PermissionStep, id: string | null, answer: PlayedAnswer | null): Said;
  /** Asks a question; null when this form of the CLI cannot ask. */
  asksQuestion(step: QuestionStep): PlayedRequest | null;
  answered(step: QuestionStep, id: string, answer: PlayedAnswer): Said;
  /** A question that could not be asked. */
  unasked(step: QuestionStep): Said;
  /** The last text of the agent. */
  lastText(): string;
}

/** The other side of a two-way conversation. */
export interface PlayedDialogue {
  /** The next prompt; undefined when no more will come. */
  prompt(): Promise<string | undefined>;
  /** The answer to a request; undefined when no answer will come. */
  answer(id: string): Promise<PlayedAnswer | undefined>;
  /** Calls back each time the other side wants the turn to end. */
  onInterrupt(told: () => void): void;
}
