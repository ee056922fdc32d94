import { ClawError } from "@claw/contract";
import type { CloseOrigin } from "@claw/contract/schemas";
import type {
  ClosedTerminal,
  Executed,
  TerminalFact,
  TerminalRequest,
  Terminals,
  TerminalView,
} from "../../bus/index.ts";
import { noSuchTerminal } from "../../bus/index.ts";
import type { AboutTerminal, EmulatedScreen, Fact, HostPush, RanCommand } from "../../terminals/index.ts";
import { endLostTerminals, openStoredTerminal, terminalEnvironment } from "../../terminals/index.ts";
import type { HostLink, HostLinkOptions } from "./host-link.ts";
import { createHostLink } from "./host-link.ts";
import { closedOf, factOf, viewOf } from "./host-facts.ts";

export interface HostTerminalsOptions extends HostLinkOptions {
  readonly report: (problem: string) => void;
}

type Answer = Readonly<Record<string, unknown>>;

/** The terminals of a workspace, which belong to the process of the terminal host. */
export class HostTerminals implements Terminals {
  readonly #options: HostTerminalsOptions;
  readonly #link: HostLink;
  readonly #views = new Map<string, TerminalView>();
  readonly #closings = new Set<(closed: ClosedTerminal) => void>();
  readonly #facts = new Set<(fact: TerminalFact) => void>();
  /**
   * Facts of the host about terminals whose `create` is not finished. The reply to the caller of `create` comes first.
   */
  readonly #early = new Map<string, HostPush[]>();
  #following = false;

  constructor(options: HostTerminalsOptions) {
    this.#options = options;
    this.#link = createHostLink(options, {
      push: (push) => this.#push(push),
      closed: () => void this.#lost(),
      opened: async (client) => {
        if (this.#following) await client.ask("follow");
      },
    });
  }

  /** Finds terminals that exist from before. Never rejects: a host that does not answer is reported. */
  async reattach(): Promise<void> {
    try {
      const client = await this.#link.reach();
      if (client === undefined) await endLostTerminals(this.#options.folder, this.#options.report);
      const answer = await client?.ask("list");
      for (const about of (answer?.["terminals"] ?? []) as readonly AboutTerminal[]) this.#add(about);
    } catch (error) {
      this.#options.report(`terminals: ${String(error)}`);
    }
  }

  /** Passes facts of the host to the listeners from now on, beginning with the facts from before this call. */
  async follow(): Promise<void> {
    const isConnected = this.#link.loadedFrom() !== null;
    this.#following = true;
    const client = isConnected ? await this.#link.reach().catch(() => undefined) : undefined;
    await client?.ask("follow").catch((error: unknown) => this.#options.report(`terminals: ${String(error)}`));
  }

  /** Closes the connection to the host. The host and its terminals go on. */
  detach(): void {
    this.#link.close();
  }

  async create(request: TerminalRequest): Promise<TerminalView> {
    const { terminalId: id, name, correlationId = null, workerId = null, env: added = {} } = request;
    const socket = this.#options.daemonSocket;
    const env = terminalEnvironment(this.#options.env, { terminalId: id, correlationId, socket, added });
    const { cwd = null, shellPath = null, argv = null, cols = null, rows = null } = request;
    const client = await this.#link.require();
    const terminal = { id, name, cwd, shellPath, argv, cols, rows, correlationId, workerId, env };
    this.#early.set(id, []);
    try {
      return this.#add((await client.ask("create", { terminal }))["terminal"] as AboutTerminal);
    } finally {
      setImmediate(() => this.#catchUp(id));
    }
  }

  async inject(terminalId: string, text: string, { paste }: { readonly paste: boolean }): Promise<void> {
    await this.#ask("type", terminalId, { text, paste, enter: true });
  }

  async write(terminalId: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("write", terminalId, { data: Buffer.from(bytes).toString("base64") });
  }

  async offset(terminalId: string): Promise<number> {
    if (!this.#views.has(terminalId)) return this.#stored(terminalId, "offset").total();
    return (await this.#ask("offset", terminalId))["offset"] as number;
  }

  async screen(terminalId: string): Promise<EmulatedScreen> {
    if (!this.#views.has(terminalId)) return this.#stored(terminalId, "screen").screen();
    return (await this.#ask("screen", terminalId))["screen"] as EmulatedScreen;
  }

  async whenOutput(terminalId: string, fromOffset: number, signal: AbortSignal): Promise<number> {
    return (await this.#ask("wait", terminalId, { from: fromOffset }, signal))["offset"] as number;
  }

  async read(terminalId: string, range: { readonly offset?: number; readonly limit: number }) {
    if (!this.#views.has(terminalId)) return this.#stored(terminalId, "read").read(range);
    const { data, offset, total } = await this.#ask("read", terminalId, range);
    return { bytes: Buffer.from(data as string, "base64"), offset: offset as number, total: total as number };
  }

  async execute(terminalId: string, command: string, signal: AbortSignal): Promise<Executed> {
    return (await this.#ask("exec", terminalId, { command }, signal))["ran"] as RanCommand & Executed;
  }

  async resize(terminalId: string, cols: number, rows: number): Promise<void> {
    await this.#ask("resize", terminalId, { cols, rows });
    const view = this.#views.get(terminalId);
    if (view !== undefined) this.#views.set(terminalId, { ...view, cols, rows });
  }

  async close(terminalId: string, origin: CloseOrigin): Promise<boolean> {
    if (!this.#views.has(terminalId)) return false;
    try {
      return (await this.#ask("close", terminalId, { origin }))["closed"] === true;
    } catch (error) {
      if (!(error instanceof ClawError)) throw error;
      return false;
    }
  }

  open(): readonly string[] {
    return [...this.#views.keys()];
  }

  find(terminalId: string): TerminalView | undefined {
    return this.#views.get(terminalId);
  }

  pty(): { loaded: boolean; loadedFrom: string | null } {
    const loadedFrom = this.#link.loadedFrom();
    return { loaded: loadedFrom !== null, loadedFrom };
  }

  onClosed(listener: (closed: ClosedTerminal) => void): () => void {
    return listen(this.#closings, listener);
  }

  onFact(listener: (fact: TerminalFact) => void): () => void {
    return listen(this.#facts, listener);
  }

  async #ask(op: string, id: string, body: Answer = {}, signal?: AbortSignal): Promise<Answer> {
    if (!this.#views.has(id)) throw noSuchTerminal(id, op);
    const client = await this.#link.require();
    return client.ask(op, { id, ...body }, signal);
  }

  #stored(id: string, operation: string) {
    const stored = openStoredTerminal(this.#options.folder, id);
    if (stored === undefined) throw noSuchTerminal(id, operation);
    return stored;
  }

  #add(about: AboutTerminal): TerminalView {
    const view = viewOf(about);
    this.#views.set(about.id, view);
    return view;
  }

  #catchUp(id: string): void {
    const pushes = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (const push of pushes) this.#push(push);
  }

  #push(push: HostPush): void {
    if (push.push !== "fact") return;
    const fact = push as unknown as Fact;
    const early = this.#early.get(fact.id);
    if (early !== undefined) return void early.push(push);
    const settle = (stored: boolean): void => {
      if (stored) void this.#settle(fact);
    };
    if (fact.kind !== "closed") {
      const told = factOf(fact, settle);
      for (const listener of this.#facts) listener(told);
      return;
    }
    this.#views.delete(fact.id);
    for (const listener of this.#closings) listener(closedOf(fact, settle));
  }

  async #settle({ id, number }: Fact): Promise<void> {
    const client = await this.#link.reach().catch(() => undefined);
    // A host that is gone tells no facts again.
    await client?.ask("settle", { id, number }).catch(() => undefined);
  }

  /** The host is gone with its terminals. The terminals count as closed once no process runs in them any more. */
  async #lost(): Promise<void> {
    const ids = [...this.#views.values()];
    this.#views.clear();
    if (ids.length > 0) this.#options.report(`the terminal host is gone, with ${ids.length} terminals`);
    await endLostTerminals(this.#options.folder, this.#options.report);
    for (const { terminalId, correlationId } of ids) {
      const closed = { terminalId, origin: "error" as const, correlationId: correlationId ?? undefined };
      for (const listener of this.#closings) listener(closed);
    }
  }
}

function listen<Told>(listeners: Set<(told: Told) => void>, listener: (told: Told) => void): () => void {
  const own = (told: Told): void => listener(told);
  listeners.add(own);
  return () => void listeners.delete(own);
}
