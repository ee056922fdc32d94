import { signal } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ClientOptions, Observer, Orchestrator } from "claw-client";
import { connectObserver, connectOrchestrator, webSocketChannel } from "claw-client";
import { isObject, stringOrNull } from "claw-contract/client";
import { PAGE_SCHEMAS } from "./page-schemas.ts";

/** The daemon's answer about the browser session: its role, and the daemon behind the page. */
export interface PageSession {
  readonly role: "orchestrator" | "observer";
  readonly version: string;
  readonly workspace: string;
}

/** What a person is told of the connection. */
export type LinkState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** The daemon was here and does not answer now. */
  | { readonly kind: "away"; readonly since: number }
  /** The session has ended or there is none: only `claw dashboard` helps. */
  | { readonly kind: "refused"; readonly why: string };

type Looked = { readonly session: PageSession } | { readonly refused: string } | { readonly away: true };

/** Asks the daemon who this browser is. A browser does not say why a WebSocket was refused; this does. */
export async function lookUpSession(base: string): Promise<Looked> {
  let response: Response;
  try {
    response = await fetch(new URL("session", base), { cache: "no-store" });
  } catch {
    return { away: true };
  }
  const body: unknown = await response.json().catch(() => null);
  if (!isObject(body)) return { away: true };
  if (response.status === 401 || response.status === 403) {
    return { refused: stringOrNull(body["error"]) ?? "auth:required" };
  }
  if (!response.ok) return { away: true };
  const role = body["role"] === "orchestrator" ? "orchestrator" : "observer";
  return {
    session: {
      role,
      version: stringOrNull(body["version"]) ?? "",
      workspace: stringOrNull(body["workspace"]) ?? "",
    },
  };
}

const socketUrl = (base: string): string => {
  const url = new URL("socket", base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
};

/** The page on the bus. An observer has no `commander`. */
export interface PageClient extends Observer {
  readonly commander: Orchestrator | null;
}

function joinAs(role: PageSession["role"], options: ClientOptions): PageClient {
  if (role === "observer") return { ...connectObserver(options), commander: null };
  const commander = connectOrchestrator(options);
  return { ...commander, commander };
}

export interface Link {
  readonly state: ReadonlySignal<LinkState>;
  readonly session: ReadonlySignal<PageSession | null>;
  /** Whether the daemon has been replaced by another version since the page was loaded. */
  readonly isOutdated: ReadonlySignal<boolean>;
  readonly client: () => PageClient | null;
  /** Ends the session of this browser, here and at the daemon. */
  readonly signOut: () => Promise<void>;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly base: string;
  /** Called each time the connection is there, the first time included. */
  readonly opened: (client: PageClient) => void;
}

/** How long the page waits before it asks an absent daemon again. */
const RETRY_MS = 1000;

interface Held {
  readonly state: Signal<LinkState>;
  readonly session: Signal<PageSession | null>;
  readonly isOutdated: Signal<boolean>;
  client: PageClient | null;
  isClosed: boolean;
}

/** Takes in what the daemon says of this browser. Returns the session to join with; null when there is none to join. */
function takeLook(held: Held, looked: Looked): PageSession | null {
  if ("refused" in looked) {
    held.state.value = { kind: "refused", why: looked.refused };
    void held.client?.close();
    held.client = null;
  }
  if (!("session" in looked)) return null;
  const before = held.session.peek();
  held.isOutdated.value = before !== null && before.version !== looked.session.version;
  held.session.value = looked.session;
  return held.client === null ? looked.session : null;
}

/** Told of the client's connection. */
type OnStatus = NonNullable<ClientOptions["onStatus"]>;

const optionsOf = (base: string, onStatus: OnStatus): ClientOptions => ({
  channel: webSocketChannel(socketUrl(base), { WebSocket }),
  name: "dashboard",
  capabilities: ["transient"],
  schemas: PAGE_SCHEMAS,
  onStatus,
});

/** The page's connection. Finds out who the browser is, joins the bus, and joins again whenever the connection ends. */
export function openLink({ base, opened }: LinkOptions): Link {
  const state = signal<LinkState>({ kind: "connecting" });
  const held: Held = { state, session: signal(null), isOutdated: signal(false), client: null, isClosed: false };
  const check = async (): Promise<void> => {
    if (held.isClosed) return;
    const looked = await lookUpSession(base);
    if ("away" in looked) return void setTimeout(() => void check(), RETRY_MS);
    const session = takeLook(held, looked);
    if (session !== null) join(session.role);
    return undefined;
  };
  const join = (role: PageSession["role"]): void => {
    const client = joinAs(
      role,
      optionsOf(base, (status) => {
        if (status === "open") {
          state.value = { kind: "open" };
          return opened(client);
        }
        if (state.peek().kind === "open") state.value = { kind: "away", since: Date.now() };
        if (status === "closed") held.client = null;
        return void check();
      }),
    );
    held.client = client;
    client.ready().catch((error: unknown) => {
      if (!held.isClosed) takeLook(held, { refused: error instanceof Error ? error.message : String(error) });
    });
  };
  void check();
  return {
    ...held,
    client: () => held.client,
    signOut: async () => {
      await fetch(new URL("session", base), { method: "DELETE" }).catch(() => undefined);
      takeLook(held, { refused: "auth:required" });
    },
    close: async () => {
      held.isClosed = true;
      await held.client?.close();
    },
  };
}
