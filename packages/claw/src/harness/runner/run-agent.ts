import type { RunResult, Redactor } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { ProcessTree } from "../../process/index.ts";
import type { SaidText } from "../harness.ts";
import { toLines } from "../harness.ts";
import type { ExitEvidence, RunItem, RunProgress } from "../stream/run-reader.ts";
import type { StreamMessage } from "../stream/stream-message.ts";
import type { QuestionQueue } from "./question-queue.ts";
import { createQuestionQueue } from "./question-queue.ts";
import type { AgentRunOptions, StartedAgent } from "./start-agent.ts";
import { startAgent } from "./start-agent.ts";
import type { Watchdog } from "./watchdog.ts";
import { allowedSilence, createWatchdog } from "./watchdog.ts";

/** The items, decisions and reports from one chunk of the agent's output. */
export interface RunBatch {
  readonly items: readonly RunItem[];
  /** Decisions about the agent's requests since the previous batch. */
  readonly decisions: readonly StreamMessage[];
  /** Reports about texts sent to the agent, since the previous batch. */
  readonly said: readonly SaidText[];
}

export interface RunOutcome {
  readonly result: RunResult;
  readonly ended: ExitEvidence["ended"];
}

/** A run in progress. The caller reads the batches to the end, or stops early, which ends the agent. */
export interface AgentRun {
  /** Can be read once. Never rejects: the outcome reports all failures of the agent. */
  readonly batches: AsyncGenerator<RunBatch, RunOutcome, void>;
  progress(): RunProgress;
  /** Pid of the agent's process, which leads a separate process group. */
  readonly pid: number;
  /** Identifies the agent's process and all processes that the agent started. */
  readonly tree: ProcessTree;
  /**
   * Sends another text to the agent. A later batch reports whether the agent took the text; the run does not end before
   * this report. False when the agent cannot take text now: it takes no text while it works, or the conversation is
   * over.
   */
  say(text: string, id: string): boolean;
}

type Ended = ExitEvidence["ended"];

/** Whether the signal was aborted because of a timeout. */
function isTimeout({ reason }: AbortSignal): boolean {
  if (reason instanceof ClawError) return reason.code === "TIMEOUT";
  return reason instanceof Error && reason.name === "TimeoutError";
}

class LiveRun {
  readonly #started: StartedAgent;
  readonly #signal: AbortSignal;
  readonly #questions: QuestionQueue | null;
  readonly #watchdog: Watchdog;
  #ended: Ended = "by-itself";
  #hasExited = false;
  #promptTaken: boolean;
  #isOver = false;

  constructor(started: StartedAgent, signal: AbortSignal) {
    const { options, request, child } = started;
    this.#started = started;
    this.#promptTaken = started.spec.stdin === null;
    this.#signal = signal;
    this.#watchdog = createWatchdog((reason) => this.#end(reason));
    this.#questions =
      options.decide === null
        ? null
        : createQuestionQueue({
            harness: options.harness.id,
            cwd: request.cwd,
            dialogue: options.harness.dialogue(request),
            decide: options.decide,
            send: (frames) => void child.write(toLines(frames)),
            onChange: () => this.#watch(),
          });
    started.onStderr = () => this.#watchdog.heard();
    void child.exited.then(() => (this.#hasExited = true));
  }

  async *batches(): AsyncGenerator<RunBatch, RunOutcome, void> {
    const { child, reader, folder } = this.#started;
    const abort = (): void => this.#end(isTimeout(this.#signal) ? "total-deadline" : "cancelled");
    this.#signal.addEventListener("abort", abort, { once: true });
    if (this.#signal.aborted) abort();
    try {
      // The watchdog starts before the prompt is sent, so it also watches an agent that does not read the prompt.
      this.#watch();
      void this.#sendPrompt();
      for await (const chunk of child.output) yield* this.#take(reader.push(chunk));
      yield* this.#take(reader.end());
      const exit = await child.exited;
      // Processes that the agent started in the background end with the run, even when the agent exited by itself.
      const hadLeft = await child.end();
      const record = await this.#recall();
      return this.#outcome({ ...exit, ...record }, this.#ended === "by-itself" && hadLeft);
    } finally {
      this.#watchdog.rest();
      this.#questions?.close();
      this.#signal.removeEventListener("abort", abort);
      await child.end();
      folder.close();
    }
  }

  say(text: string, id: string): boolean {
    if (this.#questions === null || this.#isOver || this.#hasExited || this.#ended !== "by-itself") return false;
    return this.#questions.say(text, id);
  }

  #end(reason: Ended): void {
    if (this.#hasExited || this.#ended !== "by-itself") return;
    this.#ended = reason;
    this.#watchdog.rest();
    void this.#started.child.end();
  }

  async #sendPrompt(): Promise<void> {
    const { child, spec } = this.#started;
    if (spec.stdin === null) return;
    this.#promptTaken = await child.write(spec.stdin);
    if (!spec.dialogue) child.closeInput();
  }

  *#take(items: readonly RunItem[]): Generator<RunBatch> {
    this.#questions?.take(items);
    const decisions = this.#started.options.redactor.redactValue(this.#questions?.news() ?? []);
    // The consumer of the batch may take time. This time is no silence of the agent.
    this.#watchdog.rest();
    const said = this.#questions?.said() ?? [];
    if (items.length > 0 || decisions.length > 0 || said.length > 0) yield { items, decisions, said };
    this.#watch();
  }

  /** Watches for silence, unless the agent waits for an answer. Closes stdin when the conversation is over. */
  #watch(): void {
    if (this.#ended !== "by-itself") return;
    if (this.#questions !== null && this.#questions.open() > 0) return this.#watchdog.rest();
    const { sawResult, backgroundTasks } = this.#started.reader.progress();
    const isDone = sawResult && backgroundTasks === 0 && (this.#questions?.unheard() ?? 0) === 0;
    const isOver = this.#questions?.isRefused() === true || isDone;
    if (this.#questions !== null && isOver) {
      this.#isOver = true;
      this.#started.child.closeInput();
    }
    const limits = this.#started.options.silence;
    this.#watchdog.watch(allowedSilence({ sawResult: isOver, backgroundTasks: isOver ? 0 : 1 }, limits));
  }

  /**
   * Reads the agent's own record of the conversation. A dialogue needs no record, because its stream tells all facts.
   */
  async #recall(): Promise<Pick<ExitEvidence, "record">> {
    const { options, request, reader, spec } = this.#started;
    const { sessionId } = reader.progress();
    if (sessionId === null || spec.dialogue || options.harness.recall === undefined) return {};
    return { record: await options.harness.recall(sessionId, request.env) };
  }

  #outcome(exit: Pick<ExitEvidence, "exitCode" | "signal" | "record">, hadLeft: boolean): RunOutcome {
    const { reader, folder, options, startedAt, stderr } = this.#started;
    folder.spool.flush();
    const lastMessage = folder.lastMessage(LIMITS.runOutputBytes);
    // When claw ends an agent before its result, the exit code does not count.
    const isCut = this.#ended !== "by-itself" && !reader.progress().sawResult;
    const result = reader.finish({
      ...exit,
      exitCode: isCut ? null : exit.exitCode,
      stderr: stderr(),
      ended: this.#ended,
      durationMs: performance.now() - startedAt,
      ...(lastMessage === undefined ? {} : { lastMessage }),
    });
    const more = [
      ...(this.#questions?.problems() ?? []),
      ...(this.#promptTaken ? [] : ["prompt: the agent ended without reading all of it"]),
      ...(hadLeft ? ["leftover-processes: something the agent started still ran and was ended"] : []),
    ];
    const masked = maskResult({ ...result, warnings: [...result.warnings, ...more] }, options.redactor);
    return { result: masked, ended: this.#ended };
  }
}

/** Runs an agent. Rejects with a ClawError when it does not start; its `partial` then holds a result all the same. */
export async function runAgent(options: AgentRunOptions, signal: AbortSignal): Promise<AgentRun> {
  signal.throwIfAborted();
  const started = await startAgent(options);
  const run = new LiveRun(started, signal);
  return {
    batches: run.batches(),
    progress: () => started.reader.progress(),
    pid: started.child.pid,
    tree: started.child.tree,
    say: (text, id) => run.say(text, id),
  };
}

/**
 * Masks the texts of a result outside of its events. Each event was masked when it was read. A text joined from several
 * events may hold a secret that no single event held whole.
 */
export function maskResult(result: RunResult, { redactText, redactValue }: Redactor): RunResult {
  return {
    ...result,
    output: redactText(result.output),
    subagent_output: redactText(result.subagent_output),
    error: result.error === null ? null : redactText(result.error),
    warnings: redactValue(result.warnings),
    diagnostics: redactValue(result.diagnostics),
    metadata: redactValue(result.metadata),
  };
}
