import type { Socket } from "node:net";
import type { HostOperation, HostPush, HostReply, LineFields, ReadHostRequest } from "claw-contract";
import { ClawError, isHostOperation, LIMITS, readHostRequest, refusalFields } from "claw-contract";
import type { SocketAnswerer } from "../../process/index.ts";
import { answerOver } from "../../process/index.ts";
import type { Operation } from "./host-operations.ts";
import { OPERATIONS } from "./host-operations.ts";
import type { HostedTerminal } from "./hosted-terminal.ts";
import type { KeptScreens } from "./kept-screens.ts";
import type { OutputPump } from "./output-pump.ts";
import { createOutputPump } from "./output-pump.ts";
import type { TerminalHost } from "./terminal-host.ts";

interface Attached {
  readonly pump: OutputPump;
  readonly leave: () => void;
}

/**
 * Operations with long replies, or whose order matters. They are answered one after the other, when the socket has
 * room.
 */
const IN_TURN: ReadonlySet<string> = new Set<HostOperation>(["list", "read", "screen", "attach", "detach"]);
/** Number of requests waiting for their turn above which the host stops reading from the client. */
const WAITING_REQUESTS = 1000;

const sessionError = (message: string, operation: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", message, { operation, target: "terminal-host" });

/** A client of the host, from the connection to the end. */
export class HostSession {
  readonly #host: TerminalHost;
  readonly #screens: KeptScreens;
  readonly #socket: SocketAnswerer;
  readonly #attached = new Map<string, Attached>();
  readonly #operations: { readonly [Name in HostOperation]: Operation<Name> } = {
    ...OPERATIONS,
    attach: ({ request }) => this.#attach(request),
    detach: ({ request }) => this.#detach(request.terminalId),
    follow: () => this.#follow(),
    // The door has read the token.
    hello: () => ({}),
  };
  #unfollow = (): void => undefined;

  constructor(host: TerminalHost, screens: KeptScreens, socket: Socket) {
    this.#host = host;
    this.#screens = screens;
    this.#socket = answerOver(socket, {
      maxLineBytes: LIMITS.terminalRequestBytes,
      maxCalls: LIMITS.terminalHostCalls,
      tooMany: ({ cmd }) => sessionError("too many requests wait for the terminal host", cmd),
      inTurn: { commands: IN_TURN, max: WAITING_REQUESTS },
      backlogBytes: LIMITS.socketBacklogBytes,
      answer: ({ cmd, ...fields }, signal) => {
        if (isHostOperation(cmd)) return this.#answer(cmd, fields, signal);
        throw sessionError(`the terminal host knows no ${cmd}`, cmd);
      },
      refuse: (error) => refusalFields(error, "TERMINAL_HOST_FAILED"),
      drained: () => this.#attached.forEach(({ pump }) => pump.wake()),
      closed: () => this.#close(),
    });
  }

  #close(): void {
    this.#unfollow();
    for (const id of this.#attached.keys()) this.#detach(id);
  }

  #push(push: HostPush): void {
    this.#socket.push(push);
  }

  #answer<Name extends HostOperation>(
    name: Name,
    fields: LineFields,
    signal: AbortSignal,
  ): HostReply<Name> | Promise<HostReply<Name>> {
    const reading = readHostRequest(name, fields);
    if (reading.kind === "refused") throw sessionError(`${name}: ${reading.field} is ${reading.problem}`, name);
    const operation: Operation<Name> = this.#operations[name];
    return operation({ host: this.#host, screens: this.#screens, request: reading.fields, signal });
  }

  #follow(): HostReply<"follow"> {
    this.#unfollow();
    this.#unfollow = this.#host.facts.follow((fact) => this.#push({ push: "fact", fact }));
    return {};
  }

  /** Attaches from an offset, or from a drawing of the present screen. */
  async #attach({ terminalId, from }: ReadHostRequest<"attach">): Promise<HostReply<"attach">> {
    const terminal = this.#host.find(terminalId);
    this.#detach(terminalId);
    const drawn = from === undefined ? await this.#screens.draw(terminal) : undefined;
    const pump = createOutputPump({
      terminal,
      from: from ?? drawn?.screen.offset ?? 0,
      congested: () => this.#socket.congested(),
      send: (offset, bytes) => this.#push({ push: "output", terminalId, offset, data: bytes.toString("base64") }),
      ended: () => this.#ended(terminal),
    });
    this.#attached.set(terminalId, { pump, leave: this.#host.onChange(terminalId, () => pump.wake()) });
    pump.wake();
    return { terminal: terminal.about(), screen: drawn?.text ?? null };
  }

  #ended(terminal: HostedTerminal): void {
    const { id: terminalId, end } = terminal.about();
    const { exitCode = null, signal = null } = end ?? {};
    this.#detach(terminalId);
    this.#push({ push: "ended", terminalId, exitCode, signal });
  }

  #detach(terminalId: string): HostReply<"detach"> {
    const attached = this.#attached.get(terminalId);
    attached?.pump.stop();
    attached?.leave();
    this.#attached.delete(terminalId);
    return {};
  }
}
