import type { Shift } from "../shift.ts";
import type { TouchedFiles } from "../touched-files.ts";
import { createTouchedFiles } from "../touched-files.ts";
import type { AgentSession } from "./agent-session.ts";
import { NEW_SESSION, PROMPT_WAITS, reduceSession } from "./agent-session.ts";
import type { TakeReport } from "./hook-door.ts";
import type { HookFact } from "./hook-fact.ts";
import { readHook } from "./hook-fact.ts";
import { createHookQuestions } from "./hook-questions.ts";
import { publishFact } from "./publish-fact.ts";
import type { SessionVoice } from "./session-voice.ts";
import { createSessionVoice } from "./session-voice.ts";

/** Tells the bus what an agent in a terminal reports of itself. */
export interface SessionReporter {
  readonly take: TakeReport;
  session(): AgentSession;
  /** Says what the agent was at when the worker was started anew. */
  recall(): void;
  readonly files: TouchedFiles;
}

/** Says again what an agent was at. */
function recall(voice: SessionVoice, { turn, waits }: AgentSession): void {
  if (turn === "none" && waits === null) return;
  voice.walk("OBSERVE", "the agent went on meanwhile");
  if (turn === "running") voice.signal("turn_started", "it went on meanwhile", "self");
  if (turn === "ended") voice.signal("turn_ended", "", "self");
  if (waits !== null) voice.signal("needs_input", waits, "self");
}

/** `opening` is what an agent that asks for it at its start is told to do; null for those who know it already. */
export function createSessionReporter(shift: Shift, opening: string | null): SessionReporter {
  const { job, state } = shift;
  const files = createTouchedFiles(job.cwd);
  const questions = createHookQuestions(shift);
  const voice = createSessionVoice(shift);
  const kept = state.read();
  // Where no agent is left from before, only its conversation is.
  let session: AgentSession = kept.terminalId === null ? { ...NEW_SESSION, id: kept.session.id } : kept.session;
  const keep = (next: AgentSession): void => {
    session = next;
    state.keep({ session, sessionId: session.id });
  };
  const ask = async (fact: HookFact & { kind: "question" }, gone: AbortSignal): Promise<string | null> => {
    if (gone.aborted) {
      voice.signal("needs_input", session.waits ?? PROMPT_WAITS);
      return null;
    }
    const { waits } = session;
    const { text, open } = await questions.ask(fact, gone);
    // Whoever decided, here or at the terminal, let the agent go on; it may have come further already.
    if (!open && session.turn === "running" && session.waits === waits) {
      keep({ ...session, waits: null });
      voice.signal("activity", `${fact.tool}: decided`);
    }
    return text;
  };
  return {
    files,
    session: () => session,
    recall: () => recall(voice, session),
    take: async (report, gone) => {
      let answer = report["hook_event_name"] === "SessionStart" && session.turn === "none" ? opening : null;
      for (const fact of readHook(report)) {
        keep(reduceSession(session, fact));
        if (fact.kind === "question") answer = await ask(fact, gone);
        else publishFact({ shift, voice, questions, files }, fact, session);
      }
      return answer;
    },
  };
}
