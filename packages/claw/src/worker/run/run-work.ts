import { homedir } from "node:os";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCategory, WorkerJob } from "claw-contract";
import { LIMITS, restartNotice, reworkNotice } from "claw-contract";
import type { AgentRun, RunOutcome, RunRequest } from "../../harness/index.ts";
import { HARNESSES, runAgent } from "../../harness/index.ts";
import type { AgentControl } from "./agent-control.ts";
import { walkTo, tell } from "../worker-life.ts";
import { createDecider } from "./put-question.ts";
import type { QueuedTexts } from "./queued-texts.ts";
import type { LifeParts } from "../worker-life.ts";
import type { StreamReporter } from "./stream-reporter.ts";
import { restAfter, waitUntil } from "./usage-limit.ts";

export interface WorkParts {
  readonly life: LifeParts;
  readonly control: AgentControl;
  readonly texts: QueuedTexts;
  readonly reporter: StreamReporter;
  /** Called with the run that has begun, and with null between runs. */
  readonly running: (run: AgentRun | null) => void;
}

interface Turn {
  readonly prompt: string;
  readonly resume: string | null;
  /** Whether the prompt consists of waiting texts. */
  readonly fromTexts: boolean;
}

const GO_ON = "claw: the usage limit is over. Go on where you stopped.";

/** The first prompt of a worker. A restarted worker gets a notice before the mission. */
export function firstPrompt({ mission, attempt, reason, worktree }: WorkerJob, wasDone = false): string {
  if (attempt === 1) return mission;
  const life = { endedAt: null, reason: reason ?? "", attempt, git: worktree !== null };
  const notice = wasDone ? reworkNotice(life) : restartNotice(life);
  return `${notice}\n\n${mission}`;
}

const isLoggedIn = (env: LifeParts["env"]): boolean =>
  existsSync(join(env["CODEX_HOME"] ?? join(env["HOME"] ?? homedir(), ".codex"), "auth.json"));

/** The program of an agent that is part of claw; null for other agents. */
export function programOf({ harness, program, scenario }: WorkerJob): RunRequest["program"] {
  if (harness === "claw") return program;
  if (harness !== "fake") return null;
  return [...program, "fake-agent", "claude", ...(scenario === null ? [] : ["--scenario", scenario])];
}

function startRun({ life }: WorkParts, { prompt, resume }: Turn, signal: AbortSignal): Promise<AgentRun> {
  const { job, env, redactor } = life;
  const { folder } = job;
  const request = {
    prompt,
    skill: null,
    model: job.model,
    cwd: job.cwd,
    env,
    loggedIn: isLoggedIn(env),
    program: programOf(job),
    live: true,
    ...(resume === null ? {} : { resume }),
    ...(job.permissionMode === null ? {} : { permissionMode: job.permissionMode }),
  };
  return runAgent(
    {
      harness: HARNESSES[job.harness],
      request,
      reading: { subject: job.name, includesEvents: false },
      redactor,
      // The daemon watches for silent workers and acts on them, so the run has no idle limit.
      silence: { idleMs: null, lingerMs: LIMITS.runLingerMs },
      // A killed worker must leave no files outside its folder.
      temporaryFolder: folder,
      decide: createDecider(life),
    },
    signal,
  );
}

/** Reads a run to the end. */
async function followRun(parts: WorkParts, run: AgentRun, { fromTexts, resume }: Turn): Promise<RunOutcome> {
  const { life, control, texts, reporter, running } = parts;
  reporter.runBegan(resume);
  const given = fromTexts ? texts.promptGiven(run) : null;
  control.began(run.tree);
  running(run);
  try {
    for (;;) {
      const step = await run.batches.next();
      if (step.done) return step.value;
      const progress = run.progress();
      const hasBegun = progress.turns > 0;
      if (hasBegun) given?.taken();
      life.transcript.add(step.value.items);
      texts.settle(step.value.said);
      reporter.take(step.value, progress);
      const sessionId = progress.sessionId ?? life.state.read().sessionId;
      life.state.keep({ sessionId, ...(hasBegun ? { done: false } : {}) });
      if (!control.isPaused()) texts.offer(run);
    }
  } finally {
    running(null);
    control.ended();
    texts.runEnded();
    reporter.runEnded(run.progress());
    await run.batches.return(undefined as never);
  }
}

/** Waits until a usage limit is over, or the signal is aborted. */
async function rest({ life }: WorkParts, until: number, signal: AbortSignal): Promise<void> {
  const { worker, state, log, now } = life;
  state.keep({ until });
  walkTo(worker, "RECOVER", "a usage limit was reached", (error) => log(`phase RECOVER was refused: ${String(error)}`));
  const at = new Date(until).toISOString();
  life.transcript.mark({ subtype: "resting", until: at });
  worker.report({ current_action: `waiting for the usage limit until ${at}` });
  tell(life, "signal rate_limited", worker.signal("rate_limited", { source: "stream", until: at }));
  await waitUntil(until, now, signal);
  if (signal.aborted) return;
  state.keep({ until: null });
  tell(life, "signal resumed", worker.signal("resumed", { source: "self", detail: "the usage limit is over" }));
}

/** Starts a new session. The agent lost the old session, because it ended before the session was saved. */
function beginAnew({ life }: WorkParts): Turn {
  const { worker, state, job } = life;
  state.keep({ sessionId: null });
  const message = "the agent does not know its session any more; it begins anew";
  tell(life, "event", worker.event("LOG", message, { severity: "warn" }));
  return { prompt: firstPrompt(job, state.read().done), resume: null, fromTexts: false };
}

/** Failures that would also occur in a new session. */
const NOT_OF_SESSION: ReadonlySet<ErrorCategory | null> = new Set(["auth", "rate_limit", "timeout"]);

const isSessionLost = ({ resume }: Turn, run: AgentRun, { result: { error, error_category } }: RunOutcome): boolean =>
  resume !== null && run.progress().turns === 0 && error !== null && !NOT_OF_SESSION.has(error_category);

/** The next turn after a run; null when the work is over. */
async function nextTurn(
  parts: WorkParts,
  ran: { readonly turn: Turn; readonly run: AgentRun; readonly outcome: RunOutcome },
  signal: AbortSignal,
): Promise<Turn | null> {
  const { life, texts } = parts;
  const { turn, run, outcome } = ran;
  const { state, now } = life;
  const { sessionId: resume, pauses } = state.read();
  if (signal.aborted) return null;
  if (isSessionLost(turn, run, outcome)) return beginAnew(parts);
  if (outcome.result.error_category === "rate_limit") {
    const { limitResetsAtMs: resetsAtMs } = run.progress();
    const { until, known } = restAfter({ resetsAtMs, pauses, nowMs: now(), random: Math.random() });
    state.keep({ pauses: known ? 0 : pauses + 1 });
    await rest(parts, until, signal);
    return signal.aborted ? null : { prompt: GO_ON, resume, fromTexts: false };
  }
  state.keep({ pauses: 0 });
  if (outcome.result.error !== null || texts.waiting() === 0) return null;
  return { prompt: texts.asPrompt(), resume, fromTexts: true };
}

/** The first turn of a life: the mission, or the end of the rest that an earlier life began. */
async function firstTurn(parts: WorkParts, signal: AbortSignal): Promise<Turn> {
  const { job, state, now } = parts.life;
  const { sessionId: resume, until, done } = state.read();
  if (until === null || until <= now()) return { prompt: firstPrompt(job, done), resume, fromTexts: false };
  await rest(parts, until, signal);
  return { prompt: GO_ON, resume, fromTexts: false };
}

/**
 * Runs the agent until the work is over. Resolves with the outcome of the last run; null when the worker was told to
 * end before the first run.
 */
export async function runWork(parts: WorkParts, signal: AbortSignal): Promise<RunOutcome | null> {
  const { life, control } = parts;
  const { worker, log } = life;
  walkTo(worker, "SPAWN", "the agent is started", (error) => log(`phase SPAWN was refused: ${String(error)}`));
  let turn: Turn | null = await firstTurn(parts, signal);
  let outcome: RunOutcome | null = null;
  while (turn !== null) {
    await control.whenGoing(signal);
    if (signal.aborted) return outcome;
    // Waiting texts were written to the transcript when they arrived.
    const text = turn.fromTexts ? "" : turn.prompt.slice(0, LIMITS.transcriptTextChars);
    life.transcript.mark({ subtype: "prompt", text });
    const run = await startRun(parts, turn, signal);
    outcome = await followRun(parts, run, turn);
    turn = await nextTurn(parts, { turn, run, outcome }, signal);
  }
  return outcome;
}
