import type { LifeParts } from "../worker-life.ts";
import type { TouchedFiles } from "../report/work-report.ts";
import { createTouchedFiles } from "../report/work-report.ts";
import type { AgentSession } from "./agent-session.ts";
import { NEW_SESSION, PROMPT_WAITS, reduceSession } from "./agent-session.ts";
import type { TakeReport } from "./hook-door.ts";
import type { HookFact } from "./hook-fact.ts";
import { readHook, readThreadEnd } from "./hook-fact.ts";
import type { HookQuestions } from "./hook-questions.ts";
import { createHookQuestions } from "./hook-questions.ts";
import { openingOf } from "./prepare-agent.ts";
import { publishFact, createSessionVoice } from "./publish-fact.ts";
import type { ScreenTelling } from "./screen-evidence.ts";
import type { SessionVoice } from "./publish-fact.ts";

/** Publishes the reports of an agent in a terminal to the bus. */
export interface SessionReporter {
  readonly take: TakeReport;
  session(): AgentSession;
  /** Publishes the agent's state again after the worker was restarted. */
  recall(): void;
  /** Publishes a state that the agent's screen shows and no report told. */
  see(telling: ScreenTelling): void;
  /** Number of reports received so far. */
  heard(): number;
  readonly files: TouchedFiles;
}

type Question = Extract<HookFact, { kind: "question" }>;

/** Publishes an agent's earlier state again. */
function recall(voice: SessionVoice, { turn, waits }: AgentSession): void {
  if (turn === "none" && waits === null) return;
  voice.walk("OBSERVE", "the agent went on meanwhile");
  if (turn === "running") voice.signal("turn_started", "it went on meanwhile", "self");
  if (turn === "ended") voice.signal("turn_ended", "", "self");
  if (waits !== null) voice.signal("needs_input", waits, "self");
}

/** Publishes the state shown on an agent's screen. A phase replaces earlier signals, so the phase comes first. */
function tellSeen({ signals }: ScreenTelling, voice: SessionVoice, questions: HookQuestions): void {
  const names = new Set(signals.map(([name]) => name));
  if (names.has("turn_started")) voice.walk("OBSERVE", "its terminal shows that the agent works");
  if (names.has("turn_ended")) questions.settled();
  for (const [name, text] of signals) voice.signal(name, text, "terminal");
}

/** The state of an agent, stored whenever it changes. */
interface KeptSession {
  now(): AgentSession;
  keep(next: AgentSession): void;
}

function keptSession({ state }: LifeParts): KeptSession {
  const { terminalId, session: before } = state.read();
  // Without a terminal from before, only the conversation id is kept.
  let session: AgentSession = { ...NEW_SESSION, ...(terminalId === null ? { id: before.id } : before) };
  return {
    now: () => session,
    keep: (next) => {
      session = next;
      state.keep({ session, sessionId: session.id });
    },
  };
}

interface Asking {
  readonly session: KeptSession;
  readonly questions: HookQuestions;
  readonly voice: SessionVoice;
}

/** Puts an agent's question to a person. Resolves with the answer for the agent; null leaves it to the terminal. */
async function askQuestion(
  { session, questions, voice }: Asking,
  fact: Question,
  gone: AbortSignal,
): Promise<string | null> {
  const { waits } = session.now();
  if (gone.aborted) {
    voice.signal("needs_input", waits ?? PROMPT_WAITS);
    return null;
  }
  const { text, open } = await questions.ask(fact, gone);
  const now = session.now();
  // A decision, here or at the terminal, lets the agent continue. The agent may already have continued further.
  if (!open && now.turn === "running" && now.waits === waits) {
    session.keep({ ...now, waits: null });
    voice.signal("activity", `${fact.tool}: decided`);
  }
  return text;
}

/** `opening` is the first prompt for an agent that asks for one at its start; null for other agents. */
export function createSessionReporter(life: LifeParts, opening: string | null): SessionReporter {
  const { job } = life;
  const { folder } = job;
  const prompt = openingOf(job, folder);
  const files = createTouchedFiles(job.cwd);
  const questions = createHookQuestions(life);
  const voice = createSessionVoice(life);
  const session = keptSession(life);
  let heard = 0;
  return {
    files,
    session: () => session.now(),
    recall: () => recall(voice, session.now()),
    heard: () => heard,
    see: (telling) => {
      session.keep(telling.session);
      tellSeen(telling, voice, questions);
    },
    take: async (report, gone) => {
      heard += 1;
      const { turn } = session.now();
      let answer = report["hook_event_name"] === "SessionStart" && turn === "none" ? opening : null;
      const read = (fact: HookFact) =>
        fact.kind === "thread-ended" ? readThreadEnd(fact, session.now(), prompt) : [fact];
      for (const fact of readHook(report).flatMap(read)) {
        session.keep(reduceSession(session.now(), fact));
        if (fact.kind === "question") answer = await askQuestion({ session, questions, voice }, fact, gone);
        else publishFact({ life, voice, questions, files }, fact, session.now());
      }
      return answer;
    },
  };
}
