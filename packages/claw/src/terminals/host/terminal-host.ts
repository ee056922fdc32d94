import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CloseOrigin, HostedTerminalRequest, Terminal, TerminalFactBody } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { withFileErrors } from "../../files/index.ts";
import { forgetOldTerminals, makeTerminalFolder } from "../storage/about-terminal.ts";
import type { CheckedRequest } from "./create-request.ts";
import { checkRequest } from "./create-request.ts";
import type { Facts } from "./facts.ts";
import { createFacts } from "./facts.ts";
import type { HostedTerminalOptions } from "./hosted-terminal.ts";
import { HostedTerminal } from "./hosted-terminal.ts";
import type { PtyLibrary } from "../pty/load-pty.ts";
import type { ShellStart } from "../shell/shell-integration.ts";
import { startShell } from "../shell/shell-integration.ts";
import { createSoon } from "./soon.ts";

/** All terminals of a workspace. */
export interface TerminalHost {
  readonly facts: Facts;
  /** Opens a terminal. Throws TERMINAL_HOST_FAILED or a file error when the terminal cannot be opened. */
  create(request: HostedTerminalRequest): Terminal;
  /** Throws TERMINAL_NOT_FOUND. A closed terminal is found until the daemon has stored its end. */
  find(id: string): HostedTerminal;
  /** Finds an open terminal. Throws TERMINAL_NOT_FOUND for a closed terminal too. */
  require(id: string): HostedTerminal;
  all(): readonly HostedTerminal[];
  openCount(): number;
  /** Calls `changed` on output and on the closing of a terminal. The returned function stops the calls. */
  onChange(id: string, changed: () => void): () => void;
  /** The daemon has stored a terminal's facts up to `number`. A closed terminal without further facts is forgotten. */
  settle(id: string, number: number): void;
  closeAll(origin: CloseOrigin): Promise<void>;
}

export interface TerminalHostOptions {
  /** `.claws`. */
  readonly folder: string;
  readonly library: PtyLibrary;
  readonly report: (problem: string) => void;
}

const notFound = (id: string): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `terminal ${id} is not open`, { operation: "find", target: id });

const createNonce = (): string => randomBytes(16).toString("hex");

const programStart = (argv: readonly [string, ...string[]]): ShellStart => ({
  argv,
  env: {},
  kind: "none",
  tidy: () => undefined,
});

function aboutOf(request: CheckedRequest, shell: ShellStart): HostedTerminalOptions["about"] {
  const { terminalId: id, name, cwd, cols, rows, correlationId = null, workerId = null } = request;
  // A person may leave processes behind in a terminal on purpose; a worker's agent may not.
  const tree = workerId === null ? null : randomUUID();
  const more = { tree, argv: request.program ?? shell.argv, openedAt: new Date().toISOString() };
  return { id, name, cwd, cols, rows, correlationId, workerId, ...more, integrated: shell.kind === "marks" };
}

/** Listeners for changes of terminals. */
function createChanges(): { tell(id: string): void; on(id: string, changed: () => void): () => void } {
  const listeners = new Map<string, Set<() => void>>();
  return {
    tell: (id) => listeners.get(id)?.forEach((changed) => changed()),
    on: (id, changed) => {
      const own = (): void => changed();
      const some = listeners.get(id) ?? new Set();
      listeners.set(id, some.add(own));
      return () => {
        some.delete(own);
        if (some.size === 0) listeners.delete(id);
      };
    },
  };
}

/**
 * How long output that no client asks for waits in memory. A kill of the host before the write loses the output. One
 * write takes all pieces of output of that time (benchmark `terminals`, CPU per MB).
 */
const FLUSH_MS = 250;

const tooMany = (id: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", `${LIMITS.terminals} terminals are open already`, {
    operation: "create",
    target: id,
    hint: "Close some terminals first: claw terminal close.",
  });

type Surroundings = TerminalHostOptions & Pick<HostedTerminalOptions, "tell" | "changed" | "soon">;

function startTerminal(request: CheckedRequest, surroundings: Surroundings): HostedTerminal {
  const { terminalId, env, program, shell: shellPath } = request;
  const path = makeTerminalFolder(surroundings.folder, terminalId);
  const nonce = createNonce();
  const shell =
    program === null
      ? startShell({ path: shellPath ?? "", folder: join(path, "shell"), nonce, env })
      : programStart(program);
  return new HostedTerminal({ ...surroundings, path, env, shell, nonce, about: aboutOf(request, shell) });
}

export function createTerminalHost({ folder, library, report }: TerminalHostOptions): TerminalHost {
  const terminals = new Map<string, HostedTerminal>();
  const facts = createFacts();
  const changes = createChanges();
  const soon = createSoon(FLUSH_MS);
  const all = (): HostedTerminal[] => [...terminals.values()];
  const openOnes = (): HostedTerminal[] => all().filter((terminal) => terminal.isOpen());
  const find = (id: string): HostedTerminal => {
    const terminal = terminals.get(id);
    if (terminal === undefined) throw notFound(id);
    return terminal;
  };
  const create = (request: HostedTerminalRequest): Terminal => {
    if (openOnes().length >= LIMITS.terminals) throw tooMany(request.terminalId);
    const { terminalId: id } = request;
    const checked = checkRequest(request);
    forgetOldTerminals(folder, (known) => terminals.has(known));
    const told = { tell: (body: TerminalFactBody) => facts.add(id, body), changed: () => changes.tell(id) };
    const terminal = withFileErrors("open", folder, () =>
      startTerminal(checked, { folder, library, report, soon, ...told }),
    );
    terminals.set(id, terminal);
    return terminal.about();
  };
  return {
    facts,
    all,
    find,
    openCount: () => openOnes().length,
    require: (id) => {
      const terminal = find(id);
      if (!terminal.isOpen()) throw notFound(id);
      return terminal;
    },
    create,
    onChange: (id, changed) => changes.on(id, changed),
    settle: (id, number) => {
      facts.settle(id, number);
      const terminal = terminals.get(id);
      if (terminal !== undefined && !terminal.isOpen() && !facts.keeps(id)) terminals.delete(id);
    },
    closeAll: async (origin) => void (await Promise.all(openOnes().map((terminal) => terminal.close(origin)))),
  };
}
