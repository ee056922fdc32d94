import type { FakeStep, JsonObject } from "@claw/contract";

type Step<T extends FakeStep["type"]> = Extract<FakeStep, { type: T }>;

export type ToolStep = Step<"tool">;
export type SubAgentStep = Step<"sub_agent">;
export type RetryStep = Step<"retry">;
export type FailStep = Step<"fail">;
export type StopStep = Step<"stop">;
export type PermissionStep = Step<"permission">;
export type QuestionStep = Step<"question">;

/** What goes to stderr instead of the stream. */
export interface Complaint {
  readonly complaint: string;
}

/** What an agent says: lines of its stream, in order, and complaints between them. */
export type Said = readonly (JsonObject | Complaint)[];

export const isComplaint = (said: JsonObject | Complaint): said is Complaint =>
  typeof said["complaint"] === "string" && Object.keys(said).length === 1;

/** A sub-agent that is at work. */
export interface SubAgent {
  readonly step: SubAgentStep;
  /** Id of the call that started it. */
  readonly callId: string;
  readonly agentId: string;
  readonly runId: string;
}

/** A request to whoever is on the other side, and the id of its answer. */
export interface Request {
  readonly id: string;
  readonly said: Said;
}

/** What the other side answered; nobody there is a refusal. */
export interface Answer {
  readonly allowed: boolean;
  /** Whether all work is to stop with it. */
  readonly interrupt: boolean;
  /** The chosen option, or why it was refused. */
  readonly text: string;
}

/**
 * How one CLI says things in one of its forms. Knows nothing of streams or time; remembers what it said, because later
 * lines refer to it.
 */
export interface Voice {
  /** Whether this CLI comes back to what went on beside the conversation. */
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
  /** The turn ends well. `about` is the sub-agent whose end made the CLI begin it. */
  close(about?: SubAgent): Said;
  /** The model refused; the turn ends with it. */
  fail(step: FailStep): Said;
  /** A limit of the caller ends the turn; whether that is a failure differs. */
  stop(step: StopStep): { readonly said: Said; readonly failed: boolean };
  /** The caller ends the turn. */
  interrupted(): Said;
  /** Asks for permission; null when this form of the CLI asks nobody. */
  asks(step: PermissionStep): Request | null;
  /** The tool ran, because it was allowed or nobody had to be asked. */
  permits(step: PermissionStep, id: string | null): Said;
  /** The tool did not run; without an answer nobody could be asked. */
  denies(step: PermissionStep, id: string | null, answer: Answer | null): Said;
  /** Asks a question; null when this form of the CLI asks nobody. */
  asksQuestion(step: QuestionStep): Request | null;
  answered(step: QuestionStep, id: string, answer: Answer): Said;
  /** A question that could not be asked. */
  unasked(step: QuestionStep): Said;
  /** What it said last, as a text. */
  lastText(): string;
}

/** The other side of a two-way conversation. */
export interface Dialogue {
  /** The next prompt; undefined when no more will come. */
  prompt(): Promise<string | undefined>;
  /** The answer to a request; undefined when nobody will give one. */
  answer(id: string): Promise<Answer | undefined>;
  /** Calls back each time the other side wants the turn to end. */
  onInterrupt(told: () => void): void;
}
