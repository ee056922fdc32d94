import { constants } from "node:os";
import { LIMITS } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { Stop } from "../be-worker.ts";
import { publishUntilTaken, walkOut } from "../report/publish-until-taken.ts";
import type { LifeParts } from "../worker-life.ts";
import type { SpendingVoice } from "../spending/spending-voice.ts";
import { lastTellingLine, workReport } from "../report/work-report.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AgentTerminalEnd } from "./agent-terminal.ts";
import { lastWords } from "./last-words.ts";
import type { SessionReporter } from "./session-reporter.ts";

export interface SessionConclusion {
  readonly life: LifeParts;
  readonly reporter: SessionReporter;
  readonly spending: SpendingVoice;
  readonly terminalId: string | null;
  readonly end: AgentTerminalEnd;
  /** Why the work ended early; null when the agent's program ended. */
  readonly stop: Stop | null;
}

const CAUSE_LINES = 3;
const CAUSE_CHARS = 160;

/** Why an agent ended before its first turn was over, from its terminal: the shown question, or the last lines. */
export function causeOf({ turns, shown }: AgentSession, output: string): string {
  if (turns > 0) return "";
  const lines = output.split("\n").map((line) => line.trim());
  const last = lines.filter((line) => line !== "").slice(-CAUSE_LINES);
  const cause = shown ?? last.join(" ");
  return cause === "" ? "" : `: ${cause.slice(0, CAUSE_CHARS)}`;
}

/** How the agent's program ended, as text. */
export function endText({ origin, exitCode, signal }: AgentTerminalEnd): string {
  if (signal !== null) return `the agent was ended by signal ${signal}`;
  if (exitCode !== null) return `the agent ended with exit ${exitCode}`;
  return origin === "error" ? "the agent's terminal was lost" : "the agent's terminal was closed";
}

async function reportOf({ life, reporter, spending }: SessionConclusion, output: string): Promise<JsonObject> {
  const { id, turns, tools } = reporter.session();
  const counted = { files: reporter.files, spending, toolCalls: () => tools };
  const report = await workReport(life, counted, null);
  const said = { output: output.slice(0, LIMITS.workerOutputChars), session_id: id, num_turns: turns };
  return life.redactor.redactValue({ ...report, ...said });
}

async function cancelled({ life }: SessionConclusion, stop: Stop & { kind: "aborted" }, report: JsonObject) {
  const { reason } = stop.command.data;
  const summary = typeof reason === "string" && reason !== "" ? reason : "told to stop";
  const complete = { ...report, result: "cancelled", summary } as const;
  const { sequence } = await publishUntilTaken(life, "its result", () => life.worker.complete(complete));
  const evidence = { kind: "sequence", value: sequence } as const;
  await publishUntilTaken(life, "its last step", () => life.worker.step(stop.command, { step: "applied", evidence }));
  return 0;
}

/** Signals by which people and terminals end a program. */
const ASKED: ReadonlySet<number> = new Set([
  constants.signals.SIGHUP,
  constants.signals.SIGINT,
  constants.signals.SIGTERM,
]);

/** A killed agent, or a lost terminal, is not a failure of the work: the daemon decides about a restart. */
const isCrash = ({ origin, exitCode, signal }: AgentTerminalEnd): boolean =>
  exitCode === null && (origin === "error" || (origin === "user" && signal !== null && !ASKED.has(signal)));

async function crashed({ life, end }: SessionConclusion): Promise<number> {
  const data = { error_class: "subprocess", retryable: true, signal: end.signal };
  await publishUntilTaken(life, "its crash", () =>
    life.worker.event("ERROR", endText(end), { severity: "error", data }),
  );
  return 1;
}

/** Publishes the outcome of an agent in a terminal. Resolves with the exit code, once the bus has stored it. */
export async function concludeSession(conclusion: SessionConclusion): Promise<number> {
  const { life, reporter, end, stop, terminalId } = conclusion;
  const { worker, state } = life;
  worker
    .signal("exited", { source: "process", detail: endText(end) })
    .catch((error: unknown) => life.log(String(error)));
  conclusion.spending.processEnded();
  conclusion.spending.close();
  const output = await lastWords(life, reporter.session(), terminalId);
  const report = await reportOf(conclusion, output);
  // A later life starts a new agent.
  state.keep({ terminalId: null, since: null });
  if (stop?.kind === "aborted") return cancelled(conclusion, stop, report);
  if (isCrash(end)) return crashed(conclusion);
  const { turns } = reporter.session();
  if (end.exitCode === 0 && turns > 0) {
    await walkOut(life, "REFLECT", "the agent is done");
    const summary = lastTellingLine(String(report["output"])) || endText(end);
    await publishUntilTaken(life, "its result", () => worker.complete({ ...report, summary }));
    return 0;
  }
  const cause = life.redactor.redactText(causeOf(reporter.session(), output));
  const message = end.exitCode === 0 ? "the agent ended before it had finished a turn" : `${endText(end)}${cause}`;
  await walkOut(life, "FAILED", message);
  const facts = { ...report, error_class: "subprocess", retryable: true };
  await publishUntilTaken(life, "its failure", () => worker.fatal(message, facts));
  return 1;
}
