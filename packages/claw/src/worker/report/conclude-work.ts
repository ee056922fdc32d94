import type { ErrorCategory, JsonObject, LifeEnd, RunResult } from "claw-contract";
import type { RunOutcome } from "../../harness/index.ts";
import type { Stop, Work } from "../be-worker.ts";
import { publishUntilTaken, walkOut } from "./publish-until-taken.ts";
import type { QueuedTexts } from "../run/queued-texts.ts";
import type { LifeParts } from "../worker-life.ts";
import { tell } from "../worker-life.ts";
import type { StreamReporter } from "../run/stream-reporter.ts";
import { workSummaryOf, workReport } from "./work-report.ts";

export interface Conclusion {
  readonly life: LifeParts;
  readonly texts: QueuedTexts;
  readonly reporter: StreamReporter;
  readonly work: Work;
  /** Why the work ended early; null when it ended normally. */
  readonly stop: Stop | null;
}

/** Failures that a retry cannot fix. */
const FINAL: ReadonlySet<ErrorCategory | null> = new Set(["auth", "interactive"]);

const MESSAGE_CHARS = 1000;

/** Whether the run succeeded by its own result. A run without any message from the agent did not succeed. */
const isFine = ({ result: { error, exit_code, raw_messages_count: said } }: RunOutcome): boolean =>
  error === null && exit_code === 0 && said > 0;

function exitText({ exit_code, signal, raw_messages_count: said }: RunResult): string {
  if (signal !== null) return `the agent was ended by ${signal}`;
  return `the agent ended with exit ${exit_code}${said === 0 ? " and without a word" : ""}`;
}

/**
 * Writes the end of this life into the transcript before publishing it: a follower of the worker then reads the
 * transcript to the end.
 */
function markEnd({ life, reporter }: Conclusion, result: LifeEnd, reason: string): void {
  const { tokensIn, tokensOut, costUsd, isEstimate } = reporter.spending.total();
  life.transcript.mark({
    subtype: "ended",
    result,
    reason: reason.slice(0, MESSAGE_CHARS),
    tool_calls: reporter.toolCalls(),
    total_tokens: tokensIn + tokensOut,
    total_cost_usd: costUsd,
    cost_estimated: isEstimate,
  });
}

async function concludeFailed(
  conclusion: Conclusion,
  message: string,
  facts: JsonObject,
  report: JsonObject,
): Promise<number> {
  const { life, texts } = conclusion;
  const headline = message.trim().slice(0, MESSAGE_CHARS) || "the agent failed";
  texts.refuse("the worker has failed");
  markEnd(conclusion, "failed", headline);
  await walkOut(life, "FAILED", headline);
  await publishUntilTaken(life, "its failure", () => life.worker.fatal(headline, { ...report, ...facts }));
  return 1;
}

/**
 * A killed agent is not a failure of the work. The worker reports a crash, and the daemon decides whether to restart
 * it.
 */
async function crashed(conclusion: Conclusion, headline: string, signal: string): Promise<number> {
  const { life, texts } = conclusion;
  markEnd(conclusion, "crashed", headline);
  texts.refuse("the agent was killed");
  const data = { error_class: "subprocess", retryable: true, signal };
  await publishUntilTaken(life, "its crash", () => life.worker.event("ERROR", headline, { severity: "error", data }));
  return 1;
}

async function completed(conclusion: Conclusion, outcome: RunOutcome, report: JsonObject): Promise<number> {
  const { life, texts } = conclusion;
  texts.refuse("the worker is done");
  await walkOut(life, "REFLECT", "the agent is done");
  life.state.keep({ done: true });
  const summary = workSummaryOf(outcome.result, exitText(outcome.result));
  markEnd(conclusion, "complete", summary);
  await publishUntilTaken(life, "its result", () => life.worker.complete({ ...report, summary }));
  return 0;
}

async function cancelled(
  conclusion: Conclusion,
  stop: Stop & { kind: "aborted" },
  report: JsonObject,
): Promise<number> {
  const { life, texts, work } = conclusion;
  const { reason } = stop.command.data;
  texts.refuse("the worker was told to stop");
  const why = typeof reason === "string" && reason !== "" ? reason : "told to stop";
  markEnd(conclusion, "cancelled", why);
  const result = work.kind === "ran" ? (work.outcome?.result ?? null) : null;
  const said = result === null ? {} : { partial: workSummaryOf(result, "") };
  const complete = { ...report, ...said, result: "cancelled", summary: why } as const;
  const { sequence } = await publishUntilTaken(life, "its result", () => life.worker.complete(complete));
  const evidence = { kind: "sequence", value: sequence } as const;
  await publishUntilTaken(life, "its last step", () => life.worker.step(stop.command, { step: "applied", evidence }));
  return 0;
}

async function conclude(conclusion: Conclusion): Promise<number> {
  const { life, reporter, work, stop } = conclusion;
  const outcome = work.kind === "ran" ? work.outcome : null;
  if (stop?.kind === "shut-out") return 1;
  const report = life.redactor.redactValue(await workReport(life, reporter, outcome));
  if (stop?.kind === "aborted") return cancelled(conclusion, stop, report);
  if (stop?.kind === "signalled") {
    const facts = { error_class: "terminated", retryable: true, signal: stop.signal };
    await concludeFailed(conclusion, `ended by ${stop.signal}`, facts, report);
    return 143;
  }
  if (work.kind === "not-started") {
    const { code, message } = work.error;
    return concludeFailed(conclusion, message, { error_class: "subprocess", code, retryable: false }, report);
  }
  if (outcome === null) return concludeFailed(conclusion, "the agent never ran", { error_class: "subprocess" }, report);
  if (isFine(outcome)) return completed(conclusion, outcome, report);
  const { error, error_category: category, signal } = outcome.result;
  if (signal !== null && category === "subprocess") return crashed(conclusion, exitText(outcome.result), signal);
  const facts = { error_class: category ?? "subprocess", retryable: !FINAL.has(category) };
  return concludeFailed(conclusion, error ?? exitText(outcome.result), facts, report);
}

/** Publishes the outcome of the work. Resolves with the process's exit code, once the bus has stored the outcome. */
export async function concludeWork(conclusion: Conclusion): Promise<number> {
  const { life, work, reporter } = conclusion;
  reporter.spending.close();
  if (work.kind === "ran" && work.outcome !== null && conclusion.stop?.kind !== "shut-out") {
    const detail = exitText(work.outcome.result);
    tell(life, "signal exited", life.worker.signal("exited", { source: "process", detail }));
  }
  const code = await conclude(conclusion);
  if (conclusion.stop?.kind !== "shut-out") await life.worker.flush();
  return code;
}
