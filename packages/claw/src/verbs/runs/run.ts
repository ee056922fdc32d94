import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { Redactor, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, createRedactor, environmentSecrets, LIMITS, shellQuote } from "claw-contract";
import { fileError } from "../../files/index.ts";
import type { AgentRun, Decide, Harness, RunBatch, RunOutcome, RunRequest } from "../../harness/index.ts";
import { HARNESSES, runAgent } from "../../harness/index.ts";
import { loadPrices } from "../../settings/index.ts";
import type { ExportTarget } from "../sessions/export-target.ts";
import { requireTarget } from "../sessions/export-target.ts";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { passesOn, tellDiagnostics, warnOfDoubt, withoutEvents } from "./run-answer.ts";
import { chooseDecider } from "./run-decider.ts";
import { runFailure } from "./run-failure.ts";
import { withMoney } from "./run-money.ts";
import { progressLine, runReport } from "./run-report.ts";
import { chooseHarness, readRunRequest } from "./run-request.ts";
import type { Transcript } from "./transcript.ts";
import { openTranscript } from "./transcript.ts";

type Input = VerbInput<"run">;
type Output = VerbOutput<"run">;
type Request = Omit<RunRequest, "dialogue" | "lastMessagePath" | "pieces">;

const LIVE_MS = 250;

/**
 * Keeps a progress line about the run on the terminal while a person watches. Returns a function that removes the line.
 */
function showLive({ live }: Ports, run: AgentRun): () => void {
  if (live === null) return () => undefined;
  const startedAt = performance.now();
  const show = (): void => live.show(progressLine(run.progress(), (performance.now() - startedAt) / 1000));
  show();
  const timer = setInterval(show, LIVE_MS);
  return () => {
    clearInterval(timer);
    live.clear();
  };
}

interface Work {
  readonly harness: Harness;
  readonly request: Request;
  /** Knows the secrets of the agent's environment too. */
  readonly redactor: Redactor;
  readonly decide: Decide | null;
}

/** Prepares the request and the decider for the agent. Throws before a file is written or a process is started. */
async function prepare(input: Input, harness: Harness, ports: Ports): Promise<Work> {
  const request = await readRunRequest(input, harness, ports);
  const secrets = [...environmentSecrets(ports.env), ...environmentSecrets(request.env)];
  const redactor = createRedactor({ secrets });
  return { harness, request, redactor, decide: chooseDecider(input, { ...ports, redactor }) };
}

/** Whether the answer holds the events. A caller that follows the stream has them already. */
const includesEvents = ({ includeEvents }: Input, ports: Ports): boolean => includeEvents && !passesOn(ports);

/** Starts the agent. */
async function startRun(input: Input, work: Work, ports: Ports): Promise<AgentRun> {
  const { idleTimeoutSeconds, subject, noHangHeuristic } = input;
  // The agent may work in another folder than the one a relative path is seen from.
  const temporaryFolder = resolve(tmpdir());
  const starting = runAgent(
    {
      ...work,
      reading: {
        ...(subject === undefined ? {} : { subject }),
        hangHeuristic: !noHangHeuristic,
        backgroundTasks: work.request.env["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] !== "1",
        includesEvents: includesEvents(input, ports),
      },
      silence: {
        idleMs: idleTimeoutSeconds === 0 ? null : idleTimeoutSeconds * 1000,
        lingerMs: LIMITS.runLingerMs,
      },
      temporaryFolder,
    },
    ports.signal,
  );
  return starting.catch((error: unknown) => {
    throw fileError(error, "write", temporaryFolder);
  });
}

function* batchLines({ items, decisions }: RunBatch): Generator<RunBatch["decisions"][number]> {
  yield* decisions;
  for (const { messages } of items) yield* messages;
}

/** Reads the run to its end, and yields the run's messages to a caller that follows the stream. */
async function* followRun(
  run: AgentRun,
  transcript: Transcript,
  ports: Ports,
): AsyncGenerator<RunBatch["decisions"][number], RunOutcome> {
  const endLive = showLive(ports, run);
  try {
    for (;;) {
      const step = await run.batches.next();
      if (step.done) return step.value;
      transcript.add(step.value.items);
      if (passesOn(ports)) yield* batchLines(step.value);
    }
  } finally {
    endLive();
    // When the caller leaves early, the agent ends.
    await run.batches.return(undefined as never);
  }
}

/** Returns the answer, or throws the error that carries the answer. */
function runOutput(outcome: RunOutcome, input: Input, ports: Ports): Output {
  const { signal } = ports;
  const { ended } = outcome;
  const result = includesEvents(input, ports) ? outcome.result : withoutEvents(outcome.result);
  tellDiagnostics(result, ports);
  const output: Output = { result, effect: "updated" };
  if (ended === "cancelled" || (ended === "total-deadline" && result.error_category === "timeout")) {
    const reason: unknown = signal.reason;
    if (!(reason instanceof ClawError)) throw reason;
    throw new ClawError(reason.code, reason.message, { ...reason.options, partial: output });
  }
  const failure = runFailure(outcome, output);
  if (failure !== undefined) throw failure;
  warnOfDoubt(result, ports);
  return output;
}

/** Describes a run without starting the agent: the command line, and the paths that the run would change. */
function preview({ harness, request, redactor, decide }: Work, target: ExportTarget | undefined): Output {
  const { argv } = harness.command({ ...request, dialogue: decide !== null, lastMessagePath: null, pieces: true });
  const affected = [request.cwd, ...(target === undefined ? [] : [target.file])];
  const command = redactor.redactValue([...argv]);
  return { result: null, effect: "would_update", would_affect: affected, would_run: command };
}

async function* run(input: Input, ports: Ports): VerbStream<"run"> {
  const harness = HARNESSES[chooseHarness(input.harness, ports.env, ports.cwd)];
  const target = input.transcript === undefined ? undefined : requireTarget(input.transcript, ports.cwd, input.yes);
  const work = await prepare(input, harness, ports);
  if (input.dryRun) return preview(work, target);
  const transcript = openTranscript(target, ports);
  try {
    const agent = await startRun(input, work, ports);
    const outcome = yield* followRun(agent, transcript, ports);
    const money = { env: work.request.env, prices: loadPrices(ports.cwd, ports.env).prices };
    return runOutput({ ...outcome, result: withMoney(outcome.result, money) }, input, ports);
  } finally {
    transcript.close();
  }
}

export const handler = handle("run", {
  run,
  showItem: (item) => JSON.stringify(item),
  show: ({ result, would_run: command = [] }, paint) =>
    result === null ? `Would run: ${command.map(shellQuote).join(" ")}` : runReport(result, paint),
});
