import type { Notes, Redactor, Result, VerbSpec } from "claw-contract";
import { LIMITS } from "claw-contract";
import { nodeFileSystem } from "../files/index.ts";
import { createSessionStore } from "../sessions/index.ts";
import type { Ports } from "../verbs/index.ts";
import { runVerb, VERB_SPECS } from "../verbs/index.ts";
import type { VerbCall } from "./arguments/parse-call.ts";
import type { AnswerChannel } from "./channel.ts";
import type { Deadline } from "./deadline.ts";
import { createDeadline, withinDeadline } from "./deadline.ts";
import { openCwd } from "./open-cwd.ts";
import { findPerson } from "./person.ts";
import type { StatusLine } from "./output/status-line.ts";
import { standardInput } from "./standard-input.ts";
import type { Emitter } from "./output/emitter.ts";
import { TOOL_VERSION } from "./tool-version.ts";

export interface CallContext {
  readonly channel: AnswerChannel;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly program: readonly [string, ...string[]];
  readonly stage: Ports["stage"];
  readonly openMcp: Ports["openMcp"];
  readonly emitter: Emitter;
  readonly status: StatusLine;
  /** Notes beside the answer. Notes made before a failure are printed with the failure. */
  readonly notes: Ports["notes"];
  /** Prints a text for a person beside the answer. */
  readonly announce: (text: string) => void;
}

/** The size limit of an answer. People can stop reading, so text is limited only by memory. */
function answerLimit(format: "text" | "json", isBulky: boolean, env: NodeJS.ProcessEnv): number {
  if (format === "text") return LIMITS.textBytes;
  const given = Number(env["CLAW_MAX_OUTPUT_BYTES"]);
  if (Number.isSafeInteger(given) && given > 0) return given;
  return isBulky ? LIMITS.bulkyAnswerBytes : LIMITS.answerBytes;
}

function createPorts(cwd: string, deadline: Deadline, call: VerbCall, context: CallContext): Ports {
  const { channel, env, redactor } = context;
  return {
    program: context.program,
    stage: context.stage,
    openMcp: context.openMcp,
    streaming: channel.stream || channel.format === "text",
    forPeople: channel.format === "text",
    verbose: call.globals["verbose"] === true,
    emit: (item) => context.emitter.emit(call, item),
    announce: (text) => {
      if (channel.format === "text" && call.globals["quiet"] !== true) context.announce(text);
    },
    cwd,
    env,
    stdin: standardInput,
    ...findPerson({
      forPeople: channel.format === "text",
      quiet: call.globals["quiet"] === true,
      noColor: call.globals["noColor"] === true,
      env,
      status: context.status,
    }),
    get signal() {
      return deadline.signal;
    },
    files: nodeFileSystem,
    sessions: createSessionStore(nodeFileSystem, { cwd }),
    notes: context.notes,
    redactor,
    toolVersion: TOOL_VERSION,
    format: { source: channel.formatSource, raw: channel.formatRaw, overridden: channel.formatOverridden },
    timeoutSeconds: typeof call.globals["timeoutSeconds"] === "number" ? call.globals["timeoutSeconds"] : null,
    maxAnswerBytes: answerLimit(channel.format, specOf(call.verb)?.bulky === true, env),
  };
}

/** How long a call may take. */
export function timeoutOf({ verb, globals }: VerbCall): number {
  const { timeoutSeconds } = globals;
  if (typeof timeoutSeconds === "number") return timeoutSeconds;
  return specOf(verb)?.unlimited ? Infinity : LIMITS.verbTimeoutSeconds;
}

/**
 * How long a stopped verb may take to finish. A verb without a time limit may have to finish a log; others are left
 * soon.
 */
const graceOf = ({ verb }: VerbCall): number | undefined => (specOf(verb)?.unlimited ? LIMITS.daemonStopMs : undefined);

const specOf = (verb: string): VerbSpec | undefined => VERB_SPECS.find(({ name }) => name === verb);

/** Runs a parsed call to the end. Rejects with the verb's error, or with the reason for the stop. */
export async function runCall(call: VerbCall, context: CallContext): Promise<{ result: Result; notes: Notes }> {
  const { cwd } = call.globals;
  // A verb that plays another program handles signals without the deadline.
  const signals = specOf(call.verb)?.plays ? [[]] : [];
  const deadline = createDeadline(timeoutOf(call), call.command, ...signals);
  const { gone } = context.emitter;
  const forget = gone.onAbort(() => deadline.abort(gone.reason as Error));
  try {
    const folder = specOf(call.verb)?.anywhere ? "/" : openCwd(cwd);
    const ports = createPorts(folder, deadline, call, context);
    for (const warning of call.warnings) ports.notes.warn(warning);
    const work = () => runVerb(call.verb, call.input, ports);
    const reportsTimeout = specOf(call.verb)?.reportsTimeout === true;
    const { notes, ...result } = await withinDeadline(deadline, work, {
      graceMs: graceOf(call),
      reportsTimeout,
    });
    return { result, notes };
  } finally {
    forget();
    deadline.close();
  }
}
