import type { Phase } from "claw-contract";
import { describeCall } from "../../harness/index.ts";
import type { LifeParts } from "../worker-life.ts";
import type { TouchedFiles } from "../report/work-report.ts";
import type { AgentSession } from "./agent-session.ts";
import { PROMPT_WAITS } from "./agent-session.ts";
import type { HookFact } from "./hook-fact.ts";
import type { HookQuestions } from "./hook-questions.ts";
import { walkTo, tell } from "../worker-life.ts";

type Signal = Parameters<LifeParts["worker"]["signal"]>[0];

/** Publishes a worker's statements about an agent in a terminal. */
export interface SessionVoice {
  /**
   * Publishes a signal. Source `hook`: the agent reported it; `terminal`: the screen shows it; `self`: known from
   * before.
   */
  signal(name: Signal, detail?: string, source?: "hook" | "self" | "terminal"): void;
  walk(to: Phase, reason: string): void;
  /** Reports the agent's permission mode at once, when it has changed. */
  mode(permissionMode: string): void;
}

const DETAIL_CHARS = 500;

export function createSessionVoice(life: LifeParts): SessionVoice {
  const { worker, redactor, log } = life;
  let known: string | null = null;
  return {
    signal: (name, detail = "", source = "hook") => {
      const text = redactor.redactText(detail).slice(0, DETAIL_CHARS);
      tell(life, `signal ${name}`, worker.signal(name, { source, ...(text === "" ? {} : { detail: text }) }));
    },
    walk: (to, reason) => walkTo(worker, to, reason, (error) => log(`phase ${to} was refused: ${String(error)}`)),
    mode: (permissionMode) => {
      if (permissionMode === known) return;
      known = permissionMode;
      worker.report({ permission_mode: permissionMode.slice(0, DETAIL_CHARS) });
      if (worker.status() === "open") tell(life, "heartbeat", worker.beat());
    },
  };
}

export interface FactParts {
  readonly life: LifeParts;
  readonly voice: SessionVoice;
  readonly questions: HookQuestions;
  readonly files: TouchedFiles;
}

type Of<Kind extends HookFact["kind"]> = Extract<HookFact, { kind: Kind }>;

function toolStarted(parts: FactParts, { id, tool, input }: Of<"tool-started">, session: AgentSession): void {
  const { life, voice, files } = parts;
  files.take({ kind: "tool-call", id, name: tool, input, agent: null });
  voice.walk("OBSERVE", "the agent is at work");
  const action = life.redactor.redactText(describeCall(tool, input));
  life.worker.report({ current_action: action, total_tool_calls: session.tools });
  voice.signal("tool_started", action);
}

function toolEnded({ voice, questions, files }: FactParts, { id, tool, failed }: Of<"tool-ended">): void {
  questions.settled(tool);
  files.take({ kind: "tool-result", id, failed, output: "", agent: null });
  voice.signal("tool_ended", failed ? `${tool} failed` : tool);
}

function turnEnded({ life, voice, questions }: FactParts, { limited }: Of<"turn-ended">): void {
  questions.settled();
  life.worker.report({ current_action: PROMPT_WAITS });
  // What Codex does in a turn is not told; that it was at work is.
  voice.walk("OBSERVE", "the agent has worked");
  voice.signal("turn_ended");
  voice.signal("needs_input", limited ? `a usage limit was reached; ${PROMPT_WAITS}` : PROMPT_WAITS);
}

/** Tells the bus of something that an agent in a terminal reported, and that is no question. */
export function publishFact(parts: FactParts, fact: HookFact, session: AgentSession): void {
  const { voice, questions } = parts;
  switch (fact.kind) {
    case "turn-started":
      questions.settled();
      voice.walk("OBSERVE", "the agent took a prompt");
      return voice.signal("turn_started");
    case "tool-started":
      return toolStarted(parts, fact, session);
    case "tool-ended":
      return toolEnded(parts, fact);
    case "turn-ended":
      return turnEnded(parts, fact);
    case "waits":
      return voice.signal("needs_input", fact.text || PROMPT_WAITS);
    case "active":
      return session.turn === "running"
        ? voice.signal("activity", fact.text)
        : voice.walk("DEPLOY", "the agent reports");
    case "permission-mode":
      return voice.mode(fact.mode);
    case "session":
    case "thread-ended":
    case "question":
      return undefined;
  }
}
