import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Agent } from "../../../agent/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { listDestinations } from "../list-destinations.ts";
import type { Destination } from "../route-prompt.ts";
import { routePrompt } from "../route-prompt.ts";
import { openWorkAgent } from "./open-work-agent.ts";
import type { SessionTurn } from "./run-in-session.ts";
import { runInSession } from "./run-in-session.ts";
import { showActivity } from "./show-activity.ts";

type Input = VerbInput<"turn-loop">;
type Output = VerbOutput<"turn-loop">;
type LoopTurn = Output["turns"][number];

/** A loop as far as it has come. */
interface Loop {
  readonly turns: LoopTurn[];
  sessionId: string | null;
}

/** The prompts of the turns: first the prompt, then the continuation prompt up to the limit of turns. */
function* promptsOf({ prompt, continuationPrompt, maxTurns }: Input): Generator<string> {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    if (turn === 0) yield prompt;
    else if (continuationPrompt === undefined) return;
    else yield continuationPrompt;
  }
}

function loopOutput(input: Input, { turns, sessionId }: Loop, { timeoutSeconds }: Ports): Output {
  const last = turns.at(-1);
  return {
    prompt: input.prompt,
    max_turns: input.maxTurns,
    turns_completed: turns.filter(({ stop_reason }) => stop_reason === "completed").length,
    timeout_seconds: timeoutSeconds,
    continuation_prompt: input.continuationPrompt ?? null,
    turns,
    final_stop_reason: last?.stop_reason ?? null,
    final_cancel_observed: last?.cancel_observed ?? false,
    session_id: sessionId,
    effect: sessionId === null ? "noop" : "updated",
  };
}

/** The error for a loop that was stopped. The error carries the turns done so far. */
function loopError(failure: unknown, output: Output, target: string): unknown {
  if (!(failure instanceof ClawError)) return failure;
  const options = { ...failure.options, target, partial: output };
  if (failure.code !== "TIMEOUT") return new ClawError(failure.code, failure.message, options);
  // A turn that observed the cancellation left the session unchanged, and the call can be repeated.
  return new ClawError("TURN_TIMEOUT", failure.message, { ...options, retryable: output.final_cancel_observed });
}

/** The report about a turn, with the slash commands and tools that the prompt resembles. */
function routeReport(prompt: string, limit: number, destinations: readonly Destination[]) {
  const matches = routePrompt(prompt, destinations, limit);
  const namesOf = (kind: string): string[] => matches.filter((match) => match.kind === kind).map(({ name }) => name);
  const matched = { matched_commands: namesOf("command"), matched_tools: namesOf("tool") };
  return ({
    progress,
    stopReason,
    cancelObserved,
  }: Pick<SessionTurn, "progress" | "stopReason" | "cancelObserved">): LoopTurn => ({
    prompt,
    output: progress.message,
    stop_reason: stopReason ?? "cancelled",
    cancel_observed: cancelObserved,
    ...matched,
  });
}

async function runOne(agent: Agent, prompt: string, loop: Loop, ports: Ports): Promise<SessionTurn> {
  const open = await ports.sessions.openTurn(loop.sessionId ?? undefined, { model: agent.model }, ports.signal);
  const activity = showActivity(ports);
  try {
    const turn = await runInSession(agent, open, prompt, {
      emit: (event) => activity.show(event),
      signal: ports.signal,
    });
    if (turn.failure === undefined && turn.progress.iterations > 0) loop.sessionId = open.sessionId;
    return turn;
  } finally {
    activity.end();
    open.close();
  }
}

async function runTurns(input: Input, loop: Loop, ports: Ports): Promise<void> {
  const destinations = await listDestinations(ports);
  const agent = await openWorkAgent({ ...input, maxTurns: input.maxIterations }, ports);
  try {
    for (const prompt of promptsOf(input)) {
      const turn = await runOne(agent, prompt, loop, ports);
      const isStopped = turn.failure === undefined || ports.signal.aborted;
      if (isStopped) loop.turns.push(routeReport(prompt, input.limit, destinations)(turn));
      if (turn.failure !== undefined) throw turn.failure;
      if (turn.stopReason !== "completed") return;
    }
  } finally {
    await agent.close();
  }
}

/** The report about a turn whose time was over before the turn began. */
const neverBegun = (prompt: string): LoopTurn => ({
  prompt,
  output: "",
  stop_reason: "timeout",
  cancel_observed: true,
  matched_commands: [],
  matched_tools: [],
});

/** The verb `turn-loop`. */
export async function runTurnLoop(input: Input, ports: Ports): Promise<Output> {
  const loop: Loop = { turns: [], sessionId: null };
  if (input.prompt.trim() === "") {
    throw new ClawError("MISSING_PROMPT", "the prompt is empty", { operation: "parse_arguments", target: "PROMPT" });
  }
  if (input.dryRun) {
    return { ...loopOutput(input, loop, ports), effect: "would_create", would_affect: [ports.sessions.directory] };
  }
  if (input.maxTurns === 0) return loopOutput(input, loop, ports);
  try {
    ports.signal.throwIfAborted();
    await runTurns(input, loop, ports);
  } catch (failure) {
    if (ports.signal.aborted && loop.turns.length === 0) loop.turns.push(neverBegun(input.prompt));
    throw loopError(failure, loopOutput(input, loop, ports), input.prompt.slice(0, 80));
  }
  return loopOutput(input, loop, ports);
}
