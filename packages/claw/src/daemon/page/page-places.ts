import { ClawError } from "claw-contract";
import type { Accept, PageDoor } from "../../bus/index.ts";
import { isLoopback } from "../../bus/index.ts";
import type { OpenAddress } from "../process/doors.ts";
import type { PageDoors } from "./page-doors.ts";
import { createPageDoors } from "./page-doors.ts";
import { hostInUrl } from "./page-names.ts";
import type { PageAddress, PageState } from "./page-state.ts";

/** Parts of the daemon that the page needs once clients may connect. */
export interface PageHouse {
  readonly accept: Accept;
  /** The daemon's own HTTP server; undefined when there is none. */
  readonly own: OpenAddress | undefined;
}

/** The addresses of the page: servers opened for the page, and the daemon's HTTP server. */
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

/** A free port on loopback. */
const ANY: PageAddress = { http: "127.0.0.1:0" };

const isLocal = ({ http }: PageAddress): boolean => isLoopback(new URL(`http://${http}`).hostname);

const isAt = ({ host, port }: OpenAddress, { http }: PageAddress): boolean => `${hostInUrl(host)}:${port}` === http;

/** Runs work once all earlier work has ended. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
}

/** Finds and opens addresses of the page's own, and remembers them. */
function createOpener(doors: PageDoors, { state, report }: PlaceOptions) {
  const open = async (address: PageAddress): Promise<OpenAddress> => {
    const made = await doors.open(address);
    state.keepAddresses(doors.addresses());
    return made;
  };
  /** The port of the last time, which bookmarks name, unless another program has it now. */
  const openLocal = async (): Promise<OpenAddress> => {
    const last = state.addresses().find(isLocal);
    return last === undefined ? open(ANY) : open(last).catch(() => open(ANY));
  };
  return {
    find: async (wanted: PageAddress | undefined): Promise<OpenAddress> => {
      const asked = wanted ?? doors.addresses().find(isLocal);
      if (asked === undefined) return openLocal();
      return doors.find(asked.http) ?? open(asked);
    },
    reopen: async (): Promise<void> => {
      for (const address of state.addresses()) {
        await doors
          .open(address)
          .catch((error: unknown) => report(`the page is not served at ${address.http}: ${String(error)}`));
      }
    },
  };
}

const starting = (): ClawError =>
  new ClawError("DAEMON_FAILED", "the daemon is still starting", { operation: "open_page", target: "page" });

export function createPagePlaces(options: PlaceOptions): PagePlaces {
  const { door, report } = options;
  let own: OpenAddress | undefined;
  let doors: PageDoors | undefined;
  // Two links that are asked for at a time share one address.
  const inTurn = createTurns();
  const opener = (): ReturnType<typeof createOpener> => {
    if (doors === undefined) throw starting();
    return createOpener(doors, options);
  };
  const place = (wanted: PageAddress | undefined): Promise<OpenAddress> => {
    if (wanted !== undefined && own !== undefined && isAt(own, wanted)) return Promise.resolve(own);
    return inTurn(async () => opener().find(wanted));
  };
  return {
    place,
    begin: ({ accept, own: server }) => {
      own = server;
      doors = createPageDoors({ accept, page: door, report });
    },
    reopen: () => inTurn(async () => opener().reopen()),
    isOpen: () => (doors?.addresses().length ?? 0) > 0,
    close: () => inTurn(async () => doors?.close()),
  };
}
