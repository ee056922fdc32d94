import type {
  CloseOrigin,
  ExecutedCommand,
  HostOperation,
  HostPush,
  HostReply,
  HostRequest,
  Terminal,
  TerminalFact,
  TerminalRequest,
  TerminalScreen,
} from "claw-contract";
import { ClawError } from "claw-contract";
import type { ClosedTerminal, SettleFact, Terminals } from "../../bus/index.ts";
import { noSuchTerminal } from "../../bus/index.ts";
import { endLostTerminals, openStoredTerminal, terminalEnvironment } from "../../terminals/index.ts";
import type { HostLink, HostLinkOptions } from "./host-link.ts";
import { createHostLink } from "./host-link.ts";

export interface HostTerminalsOptions extends HostLinkOptions {
  readonly report: (problem: string) => void;
}

/** Operations of the terminal host whose request names a terminal. */
type TerminalOperation = {
  [Name in HostOperation]: HostRequest<Name> extends { readonly terminalId: string } ? Name : never;
}[HostOperation];

type ClosedListener = Parameters<Terminals["onClosed"]>[0];
type FactListener = Parameters<Terminals["onFact"]>[0];

/** The terminals of a workspace, which belong to the process of the terminal host. */
export class HostTerminals implements Terminals {
  readonly #options: HostTerminalsOptions;
  readonly #link: HostLink;
  readonly #open = new Map<string, Terminal>();
  readonly #closings = new Set<ClosedListener>();
  readonly #facts = new Set<FactListener>();
  /**
   * Facts of the host about terminals whose `create` is not finished. The reply to the caller of `create` comes first.
   */
  readonly #early = new Map<string, TerminalFact[]>();
  #following = false;

  constructor(options: HostTerminalsOptions) {
    this.#options = options;
    this.#link = createHostLink(options, {
      push: (push) => this.#push(push),
      closed: () => void this.#lost(),
      opened: async (client) => {
        if (this.#following) await client.ask("follow", {});
      },
    });
  }

  /** Finds terminals that exist from before. Never rejects: a host that does not answer is reported. */
  async reattach(): Promise<void> {
    try {
      const client = await this.#link.reach();
      if (client === undefined) await endLostTerminals(this.#options.folder, this.#options.report);
      const listed = await client?.ask("list", {});
      for (const terminal of listed?.terminals ?? []) this.#add(terminal);
    } catch (error) {
      this.#options.report(`terminals: ${String(error)}`);
    }
  }

  /** Passes facts of the host to the listeners from now on, beginning with the facts from before this call. */
  async follow(): Promise<void> {
    const isConnected = this.#link.loadedFrom() !== null;
    this.#following = true;
    const client = isConnected ? await this.#link.reach().catch(() => undefined) : undefined;
    await client?.ask("follow", {}).catch((error: unknown) => this.#options.report(`terminals: ${String(error)}`));
  }

  /** Closes the connection to the host. The host and its terminals go on. */
  detach(): void {
    this.#link.close();
  }

  async create(request: TerminalRequest): Promise<Terminal> {
    const { terminalId, correlationId = null, env: added = {} } = request;
    const socket = this.#options.daemonSocket;
    const env = terminalEnvironment(this.#options.env, { terminalId, correlationId, socket, added });
    const client = await this.#link.require();
    this.#early.set(terminalId, []);
    try {
      return this.#add((await client.ask("create", { terminal: { ...request, env } })).terminal);
    } finally {
      setImmediate(() => this.#catchUp(terminalId));
    }
  }

  async inject(terminalId: string, text: string, { paste }: { readonly paste: boolean }): Promise<void> {
    await this.#ask("type", { terminalId, text, paste, enter: true });
  }

  async write(terminalId: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("write", { terminalId, data: Buffer.from(bytes).toString("base64") });
  }

  async offset(terminalId: string): Promise<number> {
    if (!this.#open.has(terminalId)) return this.#stored(terminalId, "offset").total();
    return (await this.#ask("offset", { terminalId })).offset;
  }

  async screen(terminalId: string): Promise<TerminalScreen> {
    if (!this.#open.has(terminalId)) return this.#stored(terminalId, "screen").screen();
    return (await this.#ask("screen", { terminalId })).screen;
  }

  async whenOutput(terminalId: string, fromOffset: number, signal: AbortSignal): Promise<number> {
    return (await this.#ask("wait", { terminalId, from: fromOffset }, signal)).offset;
  }

  async read(terminalId: string, range: { readonly offset?: number; readonly limit: number }) {
    if (!this.#open.has(terminalId)) return this.#stored(terminalId, "read").read(range);
    const { data, offset, total } = await this.#ask("read", { terminalId, ...range });
    return { bytes: Buffer.from(data, "base64"), offset, total };
  }

  async execute(terminalId: string, command: string, signal: AbortSignal): Promise<ExecutedCommand> {
    return (await this.#ask("exec", { terminalId, command }, signal)).ran;
  }

  async resize(terminalId: string, cols: number, rows: number): Promise<void> {
    await this.#ask("resize", { terminalId, cols, rows });
    const terminal = this.#open.get(terminalId);
    if (terminal !== undefined) this.#open.set(terminalId, { ...terminal, cols, rows });
  }

  async close(terminalId: string, origin: CloseOrigin): Promise<boolean> {
    if (!this.#open.has(terminalId)) return false;
    try {
      return (await this.#ask("close", { terminalId, origin })).closed;
    } catch (error) {
      if (!(error instanceof ClawError)) throw error;
      return false;
    }
  }

  open(): readonly string[] {
    return [...this.#open.keys()];
  }

  find(terminalId: string): Terminal | undefined {
    return this.#open.get(terminalId);
  }

  pty(): { loaded: boolean; loadedFrom: string | null } {
    const loadedFrom = this.#link.loadedFrom();
    return { loaded: loadedFrom !== null, loadedFrom };
  }

  onClosed(listener: ClosedListener): () => void {
    return addListener(this.#closings, listener);
  }

  onFact(listener: FactListener): () => void {
    return addListener(this.#facts, listener);
  }

  async #ask<Name extends TerminalOperation>(
    operation: Name,
    request: HostRequest<Name> & { readonly terminalId: string },
    signal?: AbortSignal,
  ): Promise<HostReply<Name>> {
    const { terminalId } = request;
    if (!this.#open.has(terminalId)) throw noSuchTerminal(terminalId, operation);
    const client = await this.#link.require();
    return client.ask(operation, request, signal);
  }

  #stored(id: string, operation: string) {
    const stored = openStoredTerminal(this.#options.folder, id);
    if (stored === undefined) throw noSuchTerminal(id, operation);
    return stored;
  }

  #add(terminal: Terminal): Terminal {
    this.#open.set(terminal.id, terminal);
    return terminal;
  }

  #catchUp(terminalId: string): void {
    const facts = this.#early.get(terminalId) ?? [];
    this.#early.delete(terminalId);
    for (const fact of facts) this.#tell(fact);
  }

  #push(push: HostPush): void {
    if (push.push !== "fact") return;
    const early = this.#early.get(push.fact.terminalId);
    if (early === undefined) this.#tell(push.fact);
    else early.push(push.fact);
  }

  #tell(fact: TerminalFact): void {
    const settle: SettleFact = (stored) => void (stored && this.#settle(fact));
    if (fact.kind !== "closed") {
      for (const listener of this.#facts) listener(fact, settle);
      return;
    }
    this.#open.delete(fact.terminalId);
    for (const listener of this.#closings) listener(fact, settle);
  }

  async #settle({ terminalId, number }: TerminalFact): Promise<void> {
    const client = await this.#link.reach().catch(() => undefined);
    // A host that is gone tells no facts again.
    await client?.ask("settle", { terminalId, number }).catch(() => undefined);
  }

  /** The host is gone with its terminals. The terminals count as closed once no process runs in them any more. */
  async #lost(): Promise<void> {
    const lost = [...this.#open.values()];
    this.#open.clear();
    if (lost.length > 0) this.#options.report(`the terminal host is gone, with ${lost.length} terminals`);
    await endLostTerminals(this.#options.folder, this.#options.report);
    for (const { id: terminalId, correlationId } of lost) {
      const closed: ClosedTerminal = { terminalId, origin: "error", correlationId };
      for (const listener of this.#closings) listener(closed, undefined);
    }
  }
}

function addListener<Args extends readonly unknown[]>(
  listeners: Set<(...args: Args) => void>,
  listener: (...args: Args) => void,
): () => void {
  const own = (...args: Args): void => listener(...args);
  listeners.add(own);
  return () => void listeners.delete(own);
}
