import { ClawError } from "claw-contract";
import type { Accept, PageDoor } from "../../bus/index.ts";
import { isLoopback } from "../../bus/index.ts";
import type { OpenAddress } from "../process/doors.ts";
import type { PageDoors } from "./page-doors.ts";
import { createPageDoors } from "./page-doors.ts";
import { hostInUrl } from "./page-names.ts";
import type { PageAddress, PageState } from "./page-state.ts";

/** What a daemon has when it lets clients in. */
export interface PageHouse {
  readonly accept: Accept;
  /** The daemon's own HTTP server; undefined when there is none. */
  readonly own: OpenAddress | undefined;
}

/** The addresses of the page: those of its own, and the daemon's HTTP server. */
export interface PagePlaces {
  begin(house: PageHouse): void;
  /** Opens the addresses of an earlier daemon again. An address that is taken meanwhile is reported. */
  reopen(): Promise<void>;
  /** An address for a link: the wanted one, or one that only this machine reaches. Throws INVALID_FLAG_VALUE, file errors. */
  place(wanted: PageAddress | undefined): Promise<OpenAddress>;
  isOpen(): boolean;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly state: PageState;
  readonly door: PageDoor;
  readonly report: (problem: string) => void;
}

/** Any free port that only this machine reaches. */
const ANY: PageAddress = { http: "127.0.0.1:0" };

const isLocal = ({ http }: PageAddress): boolean => isLoopback(new URL(`http://${http}`).hostname);

const isAt = ({ host, port }: OpenAddress, { http }: PageAddress): boolean => `${hostInUrl(host)}:${port}` === http;

export function createPagePlaces({ state, door, report }: PlaceOptions): PagePlaces {
  let own: OpenAddress | undefined;
  let doors: PageDoors | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  /** Runs work once all earlier work has ended: two links at a time share one address. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const ready = (): PageDoors => {
    if (doors !== undefined) return doors;
    throw new ClawError("DAEMON_FAILED", "the daemon is still starting", { operation: "open_page", target: "page" });
  };
  const open = async (address: PageAddress): Promise<OpenAddress> => {
    const made = await ready().open(address);
    state.keepAddresses(ready().addresses());
    return made;
  };
  /** The port of the last time, which bookmarks name, unless another program has it now. */
  const openLocal = async (): Promise<OpenAddress> => {
    const last = state.addresses().find(isLocal);
    if (last === undefined) return open(ANY);
    return open(last).catch(() => open(ANY));
  };
  const findOrOpen = async (wanted: PageAddress | undefined): Promise<OpenAddress> => {
    if (wanted !== undefined && own !== undefined && isAt(own, wanted)) return own;
    const asked = wanted ?? ready().addresses().find(isLocal);
    if (asked === undefined) return openLocal();
    return ready().find(asked.http) ?? open(asked);
  };
  return {
    begin: ({ accept, own: server }) => {
      own = server;
      doors = createPageDoors({ accept, page: door, report });
    },
    reopen: () =>
      inTurn(async () => {
        for (const address of state.addresses()) {
          await ready()
            .open(address)
            .catch((error: unknown) => report(`the page is not served at ${address.http}: ${String(error)}`));
        }
      }),
    place: (wanted) => inTurn(() => findOrOpen(wanted)),
    isOpen: () => (doors?.addresses().length ?? 0) > 0,
    close: () => inTurn(async () => doors?.close()),
  };
}
