import type { EventLog, NewEvent } from "../../../bus/index.ts";
import type { Counters } from "../persistent-counters.ts";
import { oldSegments, readOldHistory } from "./old-history.ts";
import { readOldMission } from "./old-mission.ts";

/** History and mission that a daemon took over from claws 0.8. */
export interface TookOver {
  /** Events of the old log. */
  readonly events: number;
  /** Plan of the mission that was under way; null when there was none. */
  readonly mission: string | null;
  /** Folder of the old files, which stay as they are. */
  readonly from: string;
}

export interface TakeOverRequest {
  /** The `.claws` folder. */
  readonly folder: string;
  readonly log: EventLog;
  readonly counters: Counters;
  readonly now: () => number;
}

const COUNTER = "takeover";
const BEGUN = 1;
const DONE = 2;

/** Events that are on their way into the log at a time. */
const BATCH = 1000;

const append = (log: EventLog, event: NewEvent): Promise<number> =>
  new Promise((resolve, reject) => {
    log.append(event, { committed: resolve, failed: reject });
  });

interface Copied {
  readonly events: number;
  /** The highest number of a peer that sent an event. */
  readonly peer: number;
}

const peerNumber = (from: string): number => Number.parseInt(/^p_([0-9a-f]{1,12})$/.exec(from)?.[1] ?? "0", 16);

/** Copies the old events into the log, except the first `skip` events, which an earlier attempt has copied. */
async function copyHistory({ folder, log }: TakeOverRequest, skip: number): Promise<Copied> {
  let [events, peer] = [0, 0];
  let waiting: Promise<number>[] = [];
  for await (const event of readOldHistory(folder)) {
    events += 1;
    peer = Math.max(peer, peerNumber(event.from));
    if (events <= skip) continue;
    waiting.push(append(log, event));
    if (waiting.length < BATCH) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return { events, peer };
}

/**
 * Takes over the state of claws 0.8: the old history becomes the beginning of an empty log, the old mission goes on,
 * and old peer numbers are not given out again. Undefined when there is neither history nor mission. Called before
 * clients can connect: until the end of the take-over the log holds no other events, so the next start continues an
 * attempt that was killed.
 */
export async function takeOverWorkspace(request: TakeOverRequest): Promise<TookOver | undefined> {
  const { folder, log, counters, now } = request;
  const state = counters.kept(COUNTER);
  if (state === DONE || (state !== BEGUN && log.head() > 0)) return undefined;
  const mission = readOldMission(folder);
  if (oldSegments(folder).length === 0 && mission === undefined) return undefined;
  counters.keep(COUNTER, BEGUN);
  const { events, peer } = await copyHistory(request, log.head());
  if (mission !== undefined && log.head() <= events) {
    const tsServer = new Date(now()).toISOString();
    const payload = JSON.stringify({ state: mission, ts: tsServer });
    await append(log, { topic: "lifecycle.taken-over", from: "server", tsServer, payload });
  }
  counters.startAfter("peer", peer);
  counters.keep(COUNTER, DONE);
  return { events, mission: mission === undefined ? null : String(mission["plan"]), from: folder };
}
