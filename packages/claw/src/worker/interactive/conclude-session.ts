import { LIMITS } from "@claw/contract";
import type { Stop } from "../be-worker.ts";
import { walkTo } from "../phase-walk.ts";
import type { Shift } from "../shift.ts";
import { createSpending, NOTHING_SPENT } from "../spending.ts";
import { workReport } from "../work-report.ts";
import type { TerminalEnd } from "./agent-terminal.ts";
import { lastWords } from "./last-words.ts";
import type { SessionReporter } from "./session-reporter.ts";

export interface SessionConclusion {
  readonly shift: Shift;
  readonly reporter: SessionReporter;
  readonly terminalId: string | null;
  readonly end: TerminalEnd;
  /** Why the work ended early; null when the agent's program ended. */
  readonly stop: Stop | null;
}

type Fields = Readonly<Record<string, unknown>>;

const SUMMARY_CHARS = 500;

function lastLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.findLast((line) => line !== "") ?? "").slice(0, SUMMARY_CHARS);
}

/** How the agent's program ended, in words. */
export function endText({ origin, exitCode, signal }: TerminalEnd): string {
  if (signal !== null) return `the agent was ended by signal ${signal}`;
  if (exitCode !== null) return `the agent ended with exit ${exitCode}`;
  return origin === "error" ? "the agent's terminal was lost" : "the agent's terminal was closed";
}

function walk({ worker, log }: Shift, to: "REFLECT" | "FAILED", reason: string): void {
  walkTo(worker, to, reason, (error) => log(`phase ${to} was refused: ${String(error)}`));
}

async function reportOf({ shift, reporter }: SessionConclusion, output: string): Promise<Fields> {
  const { id, turns, tools } = reporter.session();
  const counted = { files: reporter.files, spending: createSpending(shift.job, NOTHING_SPENT), toolCalls: () => tools };
  const report = await workReport(shift, counted, null);
  const said = { output: output.slice(0, LIMITS.workerOutputChars), session_id: id, num_turns: turns };
  return shift.redactor.redactValue({ ...report, ...said });
}

async function cancelled({ shift }: SessionConclusion, stop: Stop & { kind: "aborted" }, report: Fields) {
  const { reason } = stop.command.data;
  const summary = `cancelled: ${typeof reason === "string" && reason !== "" ? reason : "told to stop"}`;
  const { sequence } = await shift.worker.complete({ ...report, result: "cancelled", summary });
  await shift.worker.step(stop.command, { step: "applied", evidence: { kind: "sequence", value: sequence } });
  return 0;
}

/** Says what the work of an agent in a terminal came to. Resolves with the exit code once the bus knows. */
export async function concludeSession(conclusion: SessionConclusion): Promise<number> {
  const { shift, reporter, end, stop, terminalId } = conclusion;
  const { worker, state } = shift;
  worker
    .signal("exited", { source: "process", detail: endText(end) })
    .catch((error: unknown) => shift.log(String(error)));
  const output = await lastWords(shift, reporter.session(), terminalId);
  const report = await reportOf(conclusion, output);
  // Whoever is started anew from here on starts an agent anew.
  state.keep({ terminalId: null, since: null });
  if (stop?.kind === "aborted") return cancelled(conclusion, stop, report);
  const { turns } = reporter.session();
  if (end.exitCode === 0 && turns > 0) {
    walk(shift, "REFLECT", "the agent is done");
    await worker.complete({ ...report, summary: lastLine(String(report["output"])) || endText(end) });
    return 0;
  }
  const message = end.exitCode === 0 ? "the agent ended before it had finished a turn" : endText(end);
  walk(shift, "FAILED", message);
  await worker.fatal(message, { ...report, error_class: "subprocess", retryable: true });
  return 1;
}
