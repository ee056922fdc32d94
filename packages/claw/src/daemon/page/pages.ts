import type { ReadRequest, ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { PageDoor, TokenStore } from "../../bus/index.ts";
import { isLoopback } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { createLateDoor } from "./late-door.ts";
import { createPageCodes } from "./page-codes.ts";
import type { OpenAddress } from "../process/doors.ts";
import { loadPageFiles } from "./page-files.ts";
import { hostInUrl, hostsOf } from "./page-names.ts";
import type { PageHouse } from "./page-places.ts";
import { createPagePlaces } from "./page-places.ts";
import { createPageRoutes } from "./page-routes.ts";
import { sessionsUntil } from "./page-sessions.ts";
import type { PageAddress } from "./page-state.ts";
import { openPageState } from "./page-state.ts";

export interface PagesOptions {
  readonly fs: FileSystem;
  /** Folder of the page's files. */
  readonly folder: string;
  /** File of what stays the same over restarts. */
  readonly statePath: string;
  readonly tokens: Pick<TokenStore, "issue" | "issued" | "read">;
  /** Ends a session and hangs up on its pages. */
  readonly revoke: (id: string) => void;
  readonly now: () => number;
  readonly version: string;
  readonly workspace: string;
  readonly report: (problem: string) => void;
}

type OpenRequest = ReadRequest<"page.open">;

/** The page for browsers, and the ways to it. */
export interface Pages {
  /** Serves the page once it is in use. */
  readonly door: PageDoor;
  /** Called once, when clients are let in. Serves the page where an earlier daemon did, if its sessions still hold. */
  begin(house: PageHouse): Promise<void>;
  /** Makes a link. Throws INVALID_FLAG_VALUE, DAEMON_FAILED and file errors. */
  open(request: OpenRequest): Promise<ReplyFields<"page.open">>;
  /** Closes the page's own addresses some time after the last session and code. Returns when to ask again. */
  checkDue(): number;
  /** Resolves when the last page is gone. Idempotent. */
  close(): Promise<void>;
}

function wantedAddress({ address, tlsCert, tlsKey, insecure }: OpenRequest): PageAddress | undefined {
  if (address === "") return undefined;
  const tls = { ...(tlsCert === "" ? {} : { tlsCert }), ...(tlsKey === "" ? {} : { tlsKey }) };
  return { http: address, ...tls, ...(insecure ? { insecure } : {}) };
}

const originsOf = ({ host, port, scheme, names }: OpenAddress): string[] =>
  hostsOf(host, names).map((name) => new URL(`${scheme}://${hostInUrl(name)}:${port}`).origin);

/** Says when addresses that stand unused may close. */
function createLinger(neededUntil: () => number, now: () => number): () => number {
  let unusedSince: number | undefined;
  return () => {
    const until = neededUntil();
    if (until > now()) unusedSince = undefined;
    else unusedSince ??= now();
    return (unusedSince ?? until) + LIMITS.pageLingerMs;
  };
}

export function createPages(options: PagesOptions): Pages {
  const { fs, folder, statePath, tokens, now, report } = options;
  const state = openPageState(fs, statePath, report);
  const codes = createPageCodes(now);
  const late = createLateDoor();
  const places = createPagePlaces({ state, door: late.door, report });
  const closesAt = createLinger(() => Math.max(sessionsUntil(tokens), codes.openUntil()), now);
  /** Reads the page's files, which a daemon does not hold before its page is used. */
  const show = (): void => {
    if (!late.isSet())
      late.set(createPageRoutes({ ...options, key: state.key(), files: loadPageFiles(folder), codes }));
  };
  return {
    door: late.door,
    begin: async (house) => {
      places.begin(house);
      if (sessionsUntil(tokens) <= now()) return;
      try {
        show();
        await places.reopen();
      } catch (error) {
        report(`the page is not served: ${String(error)}`);
      }
    },
    open: async (request) => {
      show();
      const place = await places.place(wantedAddress(request));
      const { role, lifetimeMs } = request;
      const { code, expiresAt } = codes.issue({ role, lifetimeMs });
      const urls = originsOf(place).map((origin) => `${origin}/${state.key()}/enter?code=${code}`);
      return { urls, expiresAt, isPublic: !isLoopback(place.host) };
    },
    checkDue: () => {
      if (!places.isOpen()) return Infinity;
      const at = closesAt();
      if (at > now()) return at;
      void places.close();
      return Infinity;
    },
    close: () => places.close(),
  };
}
