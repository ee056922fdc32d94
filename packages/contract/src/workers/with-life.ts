import type { EventFact } from "./worker-fact.ts";
import { failureIn, lineIn, textIn } from "./worker-fact.ts";
import type { WorkerEnd, WorkerLife } from "./worker-life.ts";
import { stateAfter } from "./worker-life.ts";
import type { WorkerEnding, WorkerRecord } from "./worker-record.ts";
import { newLife } from "./worker-record.ts";

/** The event that changed a life; time and evidence alone when the clock changed it. */
type Occasion = Pick<EventFact, "at"> & { readonly sequence: number | null } & Partial<
    Pick<EventFact, "topic" | "data">
  >;

type Shown = Pick<WorkerEnding, "text" | "source"> & Partial<Pick<WorkerEnding, "state" | "at" | "sequence">>;

/** How a process ended; a process whose end was not seen is gone. */
function exitOf({ exit_code: code, signal }: EventFact["data"]): Shown {
  const source = "process";
  if (textIn(signal) !== null) {
    return { text: `its process was ended by ${String(signal)} before its work was done`, source };
  }
  if (typeof code === "number") return { text: `its process ended with ${code} before its work was done`, source };
  return { text: "its process is gone, and how it ended is unknown", source, state: "gone" };
}

const CLOCK_WORDS: Readonly<Partial<Record<WorkerEnd["by"], string>>> = {
  left: "its connection broke, and it did not come back",
  reflect: "it is in REFLECT, and reported no result",
};

/** The clock's conclusion, from the clock itself or from the state that the log holds. */
function byClock({ by }: WorkerEnd, { data }: Occasion): Shown {
  const [text, asOf] = [textIn(data?.["reason"]), Date.parse(textIn(data?.["as_of"]) ?? "")];
  const evidence = data?.["evidence"];
  return {
    text: text ?? CLOCK_WORDS[by] ?? "",
    source: "clock",
    ...(Number.isNaN(asOf) ? {} : { at: asOf }),
    ...(data === undefined ? {} : { sequence: typeof evidence === "number" ? evidence : null }),
  };
}

function shownAs(end: WorkerEnd, occasion: Occasion): Shown {
  const { topic = "system.worker.state", data = {} } = occasion;
  if (topic === "system.worker.state") return byClock(end, occasion);
  switch (end.by) {
    case "complete":
      return { text: lineIn(data["summary"]) ?? "it reported its result", source: "self" };
    case "fatal": {
      const isBeat = topic.endsWith(".heartbeat");
      const more = isBeat ? (lineIn(data["error_detail"]) ?? "it says that it goes down") : String(data["kind"]);
      return { text: lineIn(data["message"]) ?? more, source: "self" };
    }
    case "failed":
      return { text: failureIn(data["transition_reason"]), source: "self" };
    case "reflect":
      return { text: "it left in REFLECT, without a result", source: "server" };
    case "terminal":
      return { text: "its terminal was closed", source: "terminal" };
    case "left":
      return { text: "it left without a result", source: "server" };
    case "abort":
    case "crash":
    case "replaced":
    case "stopped":
      return exitOf(data);
  }
}

/** An end is shown at once; REFLECT only when no report came. */
const isShown = ({ by, isSettled }: WorkerEnd): boolean => by !== "reflect" || isSettled;

/** The worker in the life that an event left it. The ending that is shown follows from the life's end. */
export function withLife(worker: WorkerRecord, life: WorkerLife, occasion: Occasion): WorkerRecord {
  const before = worker.life;
  if (life === before) return worker;
  const { end } = life;
  if (end === null || !isShown(end)) {
    // A worker that boots again after its end lives anew.
    const isAnew = life.bootId !== before.bootId && worker.ending !== null;
    return { ...worker, ...(isAnew ? { ...newLife(occasion.at), work: worker.work } : {}), life, ending: null };
  }
  if (worker.ending !== null && before.end?.by === end.by) return { ...worker, life };
  const { at, sequence } = occasion;
  const ending: WorkerEnding = { at, sequence, state: stateAfter(end), ...shownAs(end, occasion) };
  return { ...worker, life, ending, isSilent: false, isHung: false, currentAction: null };
}
