import type { Notes, Outcome, Result, VerbName } from "claw-contract";
import { ClawError, createRedactor, environmentSecrets, errorRow, exitNumber } from "claw-contract";
import { errnoOf } from "../files/index.ts";
import { processSignals } from "../process/index.ts";
import { earlySettings } from "../settings/index.ts";
import { createNoteTaker, printableText, VERB_SPECS } from "../verbs/index.ts";
import type { VerbCall } from "./arguments/parse-call.ts";
import { calledAs, flagNames, parseCall } from "./arguments/parse-call.ts";
import type { SplitLine } from "./arguments/split-rest.ts";
import { splitRest } from "./arguments/split-rest.ts";
import type { AnswerChannel } from "./channel.ts";
import { channelProblem, decideChannel } from "./channel.ts";
import { isSessionTerminal } from "./person.ts";
import type { Ending } from "./process-stage.ts";
import { createProcessStage } from "./process-stage.ts";
import type { Rendering, RenderOptions } from "./output/render.ts";
import { render } from "./output/render.ts";
import type { CallContext } from "./run-call.ts";
import { runCall, timeoutOf } from "./run-call.ts";
import { createStatusLine } from "./output/status-line.ts";
import { createEmitter, ReaderGone } from "./output/emitter.ts";
import { TOOL_VERSION } from "./tool-version.ts";
import { writeOutput } from "./output/write-output.ts";

interface Conclusion {
  readonly result: Result;
  readonly notes: Notes;
  readonly call?: VerbCall;
}

/** Anything thrown, as an error of the catalogue. What is not one already is a bug of ours. */
function asClawError(error: unknown, command: string, verbose: boolean): ClawError {
  if (error instanceof ClawError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const trace = verbose && error instanceof Error ? { details: { trace: error.stack ?? "" } } : {};
  return new ClawError("INTERNAL_ERROR", message, { operation: "run", target: command, cause: error, ...trace });
}

/** Names the help on the verb in the hint, where that help says what would be right. */
function withHelp(failure: ClawError, { command, action }: Called): ClawError {
  const { help } = errorRow(failure.code);
  const topic = action === undefined ? command : `${command} ${action}`;
  const isVerb = VERB_SPECS.some(({ name }) => name === topic);
  if (help === undefined || failure.options.hint !== undefined || !isVerb) return failure;
  const hint = `Run \`claw help ${topic}\` for ${help}.`;
  return new ClawError(failure.code, failure.message, { ...failure.options, hint });
}

async function perform(
  { own: argv, rest }: SplitLine,
  channel: AnswerChannel,
  context: Parameters<typeof runCall>[1],
): Promise<Conclusion> {
  let call: VerbCall | undefined;
  try {
    const face = channel.format === "json" ? "program" : isSessionTerminal(context.env) ? "session" : "text";
    call = parseCall(argv, face, rest);
    const problem = channelProblem(channel);
    if (problem !== undefined) throw problem;
    return { ...(await runCall(call, context)), call };
  } catch (error) {
    if (error instanceof ReaderGone) throw error;
    const called = call ?? calledAs(argv);
    const failure = withHelp(asClawError(error, called.command, argv.includes("--verbose")), called);
    const { warnings } = context.notes.notes();
    const ending = { result: { kind: "failure", failure }, notes: { warnings } } as const;
    return call === undefined ? ending : { ...ending, call };
  }
}

/** The limit a call ran under, when it had one. */
function timeLimit(call: VerbCall | undefined): { timeoutMs?: number } {
  const seconds = call === undefined ? Infinity : timeoutOf(call);
  return Number.isFinite(seconds) ? { timeoutMs: Math.round(seconds * 1000) } : {};
}

type Called = Pick<Outcome, "command" | "action">;

const calledBy = ({ command, action }: Called): Called => (action === undefined ? { command } : { command, action });

const requestId = (): string => `req_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;

/** Milliseconds of a clock that is never set. `performance` would load a module of Node: serves the rows of `cold-start`. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

function outcomeOf(ending: Conclusion, called: Called, startedAt: number, env: NodeJS.ProcessEnv): Outcome {
  const traceId = env["CLAW_TRACE_ID"];
  return {
    ...called,
    result: ending.result,
    notes: ending.notes,
    finishedAt: new Date(),
    durationMs: monotonicMs() - startedAt,
    requestId: requestId(),
    toolVersion: TOOL_VERSION,
    ...timeLimit(ending.call),
    ...(traceId === undefined || traceId === "" ? {} : { traceId: traceId.slice(0, 200) }),
  };
}

function readEarlySettings(env: NodeJS.ProcessEnv): (cwd: string | undefined) => ReturnType<typeof earlySettings> {
  return (cwd) => {
    try {
      return earlySettings(cwd ?? process.cwd(), env);
    } catch {
      // A working folder that is gone is reported by the call itself.
      return {};
    }
  };
}

/** An answer that cannot be shown is a bug, and reported like any other. */
async function renderSafely(outcome: Outcome, options: RenderOptions): Promise<Rendering> {
  try {
    return await render(outcome, options);
  } catch (error) {
    const failure = asClawError(error, outcome.command, options.verbose);
    return render({ ...outcome, result: { kind: "failure", failure } }, { ...options, verb: undefined });
  }
}

/** Shows a text beside the answer. A terminal that was closed is no reason to leave the work. */
function showIfSeen(text: string): void {
  try {
    writeOutput(2, text);
  } catch {
    return;
  }
}

/** One call of the program: decide how to answer, do it, answer, say how to exit. */
async function main(line: readonly string[], env: NodeJS.ProcessEnv): Promise<Ending> {
  const startedAt = monotonicMs();
  const split = splitRest(line, flagNames(), VERB_SPECS);
  const argv = split.own;
  const channel = decideChannel({ argv, env, names: flagNames(), settings: readEarlySettings(env) });
  const redactor = createRedactor({ secrets: environmentSecrets(env) });
  const status = createStatusLine({ write: showIfSeen, columns: () => process.stderr.columns ?? 0 });
  const emitter = createEmitter(channel, { redactor, env, status });
  const announce = (text: string): void => {
    status.away();
    writeOutput(2, redactor.redactText(`${printableText(text)}\n`));
    status.back();
  };
  const stage = createProcessStage();
  const notes = createNoteTaker();
  const context = { channel, env, redactor, program: OWN_PROGRAM, emitter, notes, announce, stage, status, openMcp };
  const ending = await perform(split, channel, context);
  status.clear();
  await emitter.flush();
  const played = stage.ending();
  if (played !== undefined) return played;
  const globals = ending.call?.globals ?? {};
  const verb: VerbName | undefined = ending.call?.verb;
  const called = calledBy(ending.call ?? calledAs(argv));
  const { stdout, stderr, exitCode } = await renderSafely(outcomeOf(ending, called, startedAt, env), {
    channel,
    redactor,
    verb,
    quiet: globals["quiet"] === true,
    verbose: globals["verbose"] === true,
    noColor: globals["noColor"] === true,
    env,
  });
  const heard = writeOutput(1, stdout);
  writeOutput(2, stderr);
  return { code: heard ? exitCode : 0 };
}

const openMcp = async (): ReturnType<CallContext["openMcp"]> => (await import("../mcp/index.ts")).mcpDoor;

const INTERNAL = exitNumber("GENERAL_ERROR");
const OWN_PROGRAM: readonly [string, ...string[]] = [process.execPath, process.argv[1] ?? ""];

/** An answer that could not be delivered: there is no channel left but this line. A reader who left is no error. */
function undelivered(error: unknown): Ending {
  if (error instanceof ReaderGone) return { code: exitNumber("SUCCESS") };
  writeOutput(2, `error[filesystem_io_error]: the answer could not be written: ${errnoOf(error) ?? String(error)}\n`);
  return { code: INTERNAL };
}

/** Ends the process, by a signal if the program that was played would. */
function leave(ending: Ending): void {
  if ("code" in ending) process.exit(ending.code);
  process.removeAllListeners(ending.signal);
  processSignals.sendSelf(ending.signal);
}

process.exitCode = INTERNAL;
void main(process.argv.slice(2), process.env).catch(undelivered).then(leave);
