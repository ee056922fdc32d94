import type { StateSource } from "./worker-words.ts";
import { STATE_SOURCES } from "./worker-words.ts";
import type { EventFact } from "./worker-fact.ts";
import { lineIn, timeIn } from "./worker-fact.ts";
import type { Cause, WorkerRecord } from "./worker-record.ts";

type Change = Partial<WorkerRecord>;

/** Causes of waiting that a sign of work clears. */
export const AT_WORK: Change = { prompt: null, unclear: null, blocked: null, parked: null };

const sourceIn = (value: unknown): StateSource => STATE_SOURCES.find((source) => source === value) ?? "self";

function working(worker: WorkerRecord, cause: Cause, change: Change = {}): Change {
  const isKnown = worker.turn === "running" && worker.work !== null;
  const work = isKnown ? worker.work : { ...cause, text: "its agent works" };
  return { ...AT_WORK, turn: "running", work, ...change };
}

/** An interactive agent's prompt waits for a person after a turn; the result of any other agent is gathered. */
function turnEnded({ profile }: WorkerRecord, cause: Cause): Change {
  const over: Change = { ...AT_WORK, turn: "ended", openTools: 0 };
  const waiting = { ...cause, text: "its turn ended; its prompt waits" };
  if (profile.mode === "interactive") return { ...over, prompt: waiting };
  return { ...over, work: { ...cause, text: "its agent's turn ended" } };
}

/** Output on a terminal or after a turn does not show an agent at work. A usage limit lasts until its stated end. */
function active(worker: WorkerRecord, cause: Cause): Change {
  if (cause.source === "terminal" || worker.turn === "ended") return {};
  const { parked } = worker;
  return working(worker, cause, { parked: (parked?.until ?? -Infinity) > cause.at ? parked : null });
}

const actionOf = ({ text }: Cause): Change => (text === "" ? {} : { currentAction: text });

type Take = (worker: WorkerRecord, cause: Cause, fact: EventFact) => Change;

const SIGNAL_TAKES: Readonly<Record<string, Take>> = {
  turn_started: (worker, cause) => working({ ...worker, turn: "none" }, cause, { openTools: 0 }),
  tool_started: (worker, cause) => working(worker, cause, { ...actionOf(cause), openTools: worker.openTools + 1 }),
  tool_ended: (worker, cause) => working(worker, cause, { openTools: Math.max(0, worker.openTools - 1) }),
  activity: active,
  turn_ended: turnEnded,
  needs_input: (_worker, cause) => ({ prompt: { ...cause, text: cause.text || "its prompt waits" }, unclear: null }),
  unclear: (_worker, cause) => ({
    prompt: null,
    unclear: { ...cause, text: cause.text || "nothing shows what its agent does" },
  }),
  rate_limited: (_worker, cause, { data }) => ({
    parked: { ...cause, text: cause.text || "its agent reached a usage limit", until: timeIn(data["until"]) },
  }),
  paused: (_worker, cause) => ({ paused: { ...cause, text: cause.text || "it was told to pause" } }),
  resumed: (_worker, { at }) => ({ paused: null, parked: null, freeSince: at }),
  restarted: (_worker, cause) => ({
    ...AT_WORK,
    turn: "none",
    openTools: 0,
    work: { ...cause, text: "its agent was started anew" },
  }),
  exited: (_worker, cause) => ({
    ...AT_WORK,
    turn: "ended",
    openTools: 0,
    work: { ...cause, text: "its agent's process ended" },
  }),
};

/** Applies a signal of the worker's process about the agent. */
export function takeSignal(worker: WorkerRecord, fact: EventFact): Change {
  const { data, at, sequence } = fact;
  const { signal, source } = data;
  const take = typeof signal === "string" && Object.hasOwn(SIGNAL_TAKES, signal) ? SIGNAL_TAKES[signal] : undefined;
  if (take === undefined) return {};
  const cause: Cause = { text: lineIn(data["detail"]) ?? "", source: sourceIn(source), at, sequence };
  return { isSignalling: true, ...take(worker, cause, fact) };
}
