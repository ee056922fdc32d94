import type { AgentAnswer, AgentQuestion } from "claw-contract";
import { ClawError, LIMITS, objectOf } from "claw-contract";
import { joinSignals } from "../../process/index.ts";
import { agentAnswer, putQuestion } from "../run/put-question.ts";
import type { LifeParts } from "../worker-life.ts";
import type { HookFact } from "./hook-fact.ts";

type Asked = Extract<HookFact, { kind: "question" }>;

export interface HookAnswer {
  /** The answer for the agent; null lets the person at the terminal decide. */
  readonly text: string | null;
  /** Whether the dialog in the terminal is still open. */
  readonly open: boolean;
}

/** Questions that an agent asks in its terminal and on the bus at the same time; the first answer counts. */
export interface HookQuestions {
  ask(fact: Asked, gone: AbortSignal): Promise<HookAnswer>;
  /** The agent continued: questions about this tool, or all questions, are closed. */
  settled(tool?: string): void;
}

/** The tool with which Claude Code asks a person a question. */
const QUESTION_TOOL = "AskUserQuestion";

/** A decision in the format that Claude Code reads from a hook. */
export function decisionText({ decision, message, input, answers }: AgentAnswer, asked: unknown): string {
  const updated = answers === undefined ? input : { ...objectOf(asked), answers };
  const allowed = { behavior: "allow", ...(updated === undefined ? {} : { updatedInput: updated }) };
  const verdict = decision === "allow" ? allowed : { behavior: "deny", message: message ?? "it was refused" };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: verdict } });
}

/** Whether the hook waited the whole time allowed for an answer. Then its own timeout ended the wait, not an answer. */
const wasLate = (sinceMs: number, nowMs: number): boolean => nowMs - sinceMs >= LIMITS.approvalMs;

export function createHookQuestions(life: LifeParts): HookQuestions {
  const { job, now, log } = life;
  const open = new Map<AbortController, string>();
  const ask = async ({ tool, input }: Asked, gone: AbortSignal): Promise<HookAnswer> => {
    const settled = new AbortController();
    const began = now();
    const about = tool === QUESTION_TOOL ? "question" : "permission";
    const { harness, cwd } = job;
    const question: AgentQuestion = { id: "", about, harness, tool, input, reason: "", cwd, event: {} };
    open.set(settled, tool);
    const over = joinSignals({ signals: [gone, settled.signal] });
    try {
      const answer = await putQuestion(life, question, "hook", over.signal);
      // The approval timed out on the bus. The person at the terminal may still answer.
      if (answer.command.from === "server" && !answer.approved) return { text: null, open: true };
      return { text: decisionText(agentAnswer(question, answer), input), open: false };
    } catch (error) {
      if (!(error instanceof ClawError)) throw error;
      if (error.code !== "CANCELLED") log(`the question about ${tool} was not asked: ${error.message}`);
      const isDecided = settled.signal.aborted || (gone.aborted && !wasLate(began, now()));
      return { text: null, open: !isDecided };
    } finally {
      over.release();
      open.delete(settled);
    }
  };
  return {
    ask,
    settled: (tool) => {
      for (const [controller, asked] of open) if (tool === undefined || tool === asked) controller.abort();
    },
  };
}
