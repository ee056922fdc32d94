import { ClawError, LIMITS } from "claw-contract";
import type { Accept, PageDoor } from "../../bus/index.ts";
import type { HttpDoor, OpenAddress } from "../process/doors.ts";
import { createHttpDoor, openAddress, readAddress } from "../process/doors.ts";
import type { PageAddress } from "./page-state.ts";

/** Addresses that are open for the page alone. */
export interface PageDoors {
  /** The open address that was asked for as `http`, or that is in use; undefined when there is none. */
  find(http: string): OpenAddress | undefined;
  /** Opens an address. Throws INVALID_FLAG_VALUE and file errors. */
  open(address: PageAddress): Promise<OpenAddress>;
  /** The open addresses, with the ports in use. */
  addresses(): readonly PageAddress[];
  /** Resolves when the last client of them is gone. Idempotent. */
  close(): Promise<void>;
}

export interface PageDoorOptions {
  readonly accept: Accept;
  readonly page: PageDoor;
  readonly report: (problem: string) => void;
}

interface Opened {
  readonly asked: PageAddress;
  readonly door: HttpDoor;
  readonly unfollow: () => void;
}

const inUse = ({ door }: Opened): string => new URL(door.transport.address().url).host;

const tooMany = (http: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", `the page is served at ${LIMITS.pageAddresses} addresses already`, {
    operation: "open_page",
    target: http,
    hint: "Use one of them, or restart the daemon: claw down, claw up.",
  });

export function createPageDoors({ accept, page, report }: PageDoorOptions): PageDoors {
  const opened = new Set<Opened>();
  return {
    find: (http) => {
      const { host, port } = readAddress(http);
      const found = [...opened].find(({ asked, door }) => {
        const used = door.transport.address();
        return asked.http === http || (used.host === host && used.port === port);
      });
      return found === undefined ? undefined : openAddress(found.door);
    },
    open: async (asked) => {
      if (opened.size >= LIMITS.pageAddresses) throw tooMany(asked.http);
      const door = createHttpDoor(asked, { page, report });
      if (door === undefined) throw new Error("an address of the page names no host");
      await door.transport.listen(accept);
      opened.add({ asked, door, unfollow: door.follow() });
      return openAddress(door);
    },
    addresses: () => [...opened].map((each) => ({ ...each.asked, http: inUse(each) })),
    close: async () => {
      const ending = [...opened];
      opened.clear();
      for (const { unfollow } of ending) unfollow();
      await Promise.all(ending.map(({ door }) => door.transport.close()));
    },
  };
}
