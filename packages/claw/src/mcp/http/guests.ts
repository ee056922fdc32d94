import type { ToolSet } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { Caller } from "../layer/caller.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import type { Guest, GuestServer } from "./guest-server.ts";
import { createGuestServer } from "./guest-server.ts";

/** A guest as the bus lets it in. */
export interface OpenGuest extends Omit<Guest, "tables"> {
  /** What the guest is served with each set of tools. */
  readonly tables: Readonly<Record<ToolSet, McpTables>>;
  /** Resolves when the bus serves the guest no longer: the token ended or was revoked. */
  readonly gone: Promise<void>;
  /** Leaves the bus. Idempotent. */
  close(): Promise<void>;
}

/** A valid token and the rights that the token grants. */
export interface GuestToken {
  readonly id: string;
  readonly bearer: string;
  readonly role: Caller["role"];
  /** The only name that its holder may have on the bus. */
  readonly peer: string | undefined;
}

type Servers = Readonly<Record<ToolSet, GuestServer>>;

interface Entry {
  readonly opening: Promise<Servers>;
  busy: number;
  idle: NodeJS.Timeout | undefined;
  close(): Promise<void>;
}

export interface Guests {
  /**
   * Lends the server of a token's holder while `use` runs: one server for each set of tools, and one peer on the bus for
   * all. Undefined when too many tokens are in use. Rejects with the bus's refusal.
   */
  lend<T>(token: GuestToken, tools: ToolSet, use: (server: GuestServer) => Promise<T>): Promise<T> | undefined;
  close(): Promise<void>;
}

function serversOf({ tables, ...guest }: OpenGuest): Servers {
  const serverOf = (tools: ToolSet): GuestServer => createGuestServer({ ...guest, tables: tables[tools] });
  return { default: serverOf("default"), all: serverOf("all") };
}

function enter(open: Promise<OpenGuest>, left: () => void): Entry {
  const opening = open.then((guest) => ({ guest, servers: serversOf(guest) }));
  let closing: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    const here = await opening.catch(() => undefined);
    left();
    await Promise.all(Object.values(here?.servers ?? {}).map((server) => server.close()));
    await here?.guest.close();
  };
  const close = (): Promise<void> => (closing ??= leave());
  opening.then(({ guest }) => guest.gone).then(close, close);
  return { opening: opening.then(({ servers }) => servers), busy: 0, idle: undefined, close };
}

/** Keeps one presence on the bus for each token, so that all requests with it come from the same peer. */
export function createGuests(open: (token: GuestToken) => Promise<OpenGuest>): Guests {
  const entries = new Map<string, Entry>();
  const enterAs = (token: GuestToken): Entry => {
    const entry: Entry = enter(open(token), () => {
      clearTimeout(entry.idle);
      if (entries.get(token.id) === entry) entries.delete(token.id);
    });
    entries.set(token.id, entry);
    return entry;
  };
  const rest = (entry: Entry): void => {
    clearTimeout(entry.idle);
    entry.idle = setTimeout(() => {
      void entry.opening.then(
        (servers) => (entry.busy > 0 || servers.default.any() || servers.all.any() ? rest(entry) : entry.close()),
        () => undefined,
      );
    }, LIMITS.httpIdleMs).unref();
  };
  const borrow = async <T>(entry: Entry, use: (servers: Servers) => Promise<T>): Promise<T> => {
    entry.busy += 1;
    try {
      return await use(await entry.opening);
    } finally {
      entry.busy -= 1;
      rest(entry);
    }
  };
  return {
    lend: (token, tools, use) => {
      const known = entries.get(token.id);
      if (known === undefined && entries.size >= LIMITS.connections) return undefined;
      return borrow(known ?? enterAs(token), (servers) => use(servers[tools]));
    },
    close: async () => void (await Promise.all([...entries.values()].map((entry) => entry.close()))),
  };
}
