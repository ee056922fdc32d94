import { connect } from "node:net";
import { basename, dirname } from "node:path";
import { HOOK_REPORT, LIMITS, WORKER_VARIABLES, parseObject, objectOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { Approve, TurnEvent } from "../../../agent/index.ts";
import { askOnce, joinSignals } from "../../../process/index.ts";

/** Reports the events of this chat session to the session's worker, in the format of Claude Code's hooks. */
export interface ChatReports {
  /** Sends a report after all earlier reports. Drops the report when the worker stays away for too long. */
  tell(event: string, fields?: JsonObject): void;
  /** Resolves with the worker's answer; with an empty text when the worker does not answer. Never rejects. */
  ask(event: string, fields: JsonObject, signal: AbortSignal): Promise<string>;
  /** Resolves when all reports of `tell` are sent or dropped. */
  flush(): Promise<void>;
}

const NO_REPORTS: ChatReports = { tell: () => undefined, ask: async () => "", flush: async () => undefined };

/** How long a report waits for a worker that is being restarted, and how often the report is tried again. */
const AWAY_MS = 5000;
const LOOK_MS = 100;

/** Connects from the socket's folder, because the path of a socket may be no longer than a hundred bytes. */
function openSocket(path: string) {
  const before = process.cwd();
  process.chdir(dirname(path));
  try {
    return connect(basename(path));
  } finally {
    process.chdir(before);
  }
}

async function deliver(path: string, report: JsonObject, signal: AbortSignal): Promise<string> {
  const options = { maxLineBytes: LIMITS.hookAnswerBytes, signal };
  const reply = await askOnce(openSocket(path), HOOK_REPORT, report, options);
  return typeof reply?.["answer"] === "string" ? reply["answer"] : "";
}

async function deliverSoon(path: string, report: JsonObject, signal: AbortSignal): Promise<string> {
  for (const deadline = performance.now() + AWAY_MS; ;) {
    try {
      return await deliver(path, report, signal);
    } catch {
      // No process listens on the socket; the worker may be starting again.
      if (signal.aborted || performance.now() > deadline) return "";
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/**
 * Opens the reports to the worker that the environment names. When the environment names no worker, drops all reports.
 */
export function openChatReports(env: NodeJS.ProcessEnv, sessionId: () => string): ChatReports {
  const path = env[WORKER_VARIABLES.reports];
  if (path === undefined || path === "") return NO_REPORTS;
  const forever = new AbortController().signal;
  let before: Promise<unknown> = Promise.resolve();
  const say = (event: string, fields: JsonObject, signal: AbortSignal): Promise<string> => {
    const report = { hook_event_name: event, session_id: sessionId(), ...fields };
    const said = before.then(() => deliverSoon(path, report, signal));
    return said.catch(() => "");
  };
  return {
    tell: (event, fields = {}) => {
      before = say(event, fields, forever);
    },
    ask: say,
    flush: async () => void (await before),
  };
}

/** Reports one turn to the worker, from the prompt to the end of the turn. */
export function followTurn(reports: ChatReports) {
  let text = "";
  reports.tell("UserPromptSubmit");
  return {
    take: (event: TurnEvent): void => {
      if (event.agent !== undefined) return;
      if (event.kind === "assistant") {
        const said = event.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
        text = said.trim() === "" ? text : said;
      } else if (event.kind === "tool-started") {
        reports.tell("PreToolUse", { tool_name: event.name, tool_use_id: event.id, tool_input: event.input });
      } else if (event.kind === "tool-result") {
        const name = event.isError ? "PostToolUseFailure" : "PostToolUse";
        reports.tell(name, { tool_name: event.name, tool_use_id: event.id });
      }
    },
    ended: (): void => reports.tell("Stop", { last_assistant_message: text }),
    stopped: (): void => reports.tell("Notification", { message: "it was stopped; its prompt waits" }),
  };
}

/** Reads the decision about a permission from the worker's answer; null when the answer holds no decision. */
function decisionIn(answer: string): Awaited<ReturnType<Approve>> | null {
  const { hookSpecificOutput } = parseObject(answer) ?? {};
  const { behavior, message } = objectOf(objectOf(hookSpecificOutput)["decision"]);
  if (behavior === "allow") return { allow: true };
  return behavior === "deny" ? { allow: false, reason: String(message ?? "it was refused") } : null;
}

/**
 * Asks the person at the terminal and, through the worker, all other approvers at the same time. The first answer
 * counts.
 */
export function askEverywhere(atTerminal: Approve, reports: ChatReports): Approve {
  return async (question, signal) => {
    const settled = new AbortController();
    const both = joinSignals({ signals: [signal, settled.signal] });
    const elsewhere = reports
      .ask("PermissionRequest", { tool_name: question.tool, tool_input: question.input }, both.signal)
      .then((answer) => decisionIn(answer) ?? new Promise<never>(() => undefined));
    const here = atTerminal(question, both.signal);
    try {
      return await Promise.race([here, elsewhere]);
    } finally {
      settled.abort();
      both.release();
      // The dialog at the terminal rejects when the other answer came first; the rejection is expected.
      here.catch(() => undefined);
    }
  };
}
