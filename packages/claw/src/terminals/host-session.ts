import type { Socket } from "node:net";
import { createLineFramer, ClawError, LIMITS } from "@claw/contract";
import { joinSignals } from "../process/index.ts";
import type { Answer } from "./host-operations.ts";
import { OPERATIONS } from "./host-operations.ts";
import type { HostedTerminal } from "./hosted-terminal.ts";
import type { HostPush, HostReply, HostRequest } from "./host-wire.ts";
import { parseRequest, refusalOf } from "./host-wire.ts";
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
const IN_TURN: ReadonlySet<string> = new Set(["list", "read", "screen", "attach", "detach"]);
/** Number of waiting requests above which the host stops reading from the client. */
const WAITING_REQUESTS = 1000;

/** A client of the host, from the connection to the end. */
export class HostSession {
  readonly #host: TerminalHost;
  readonly #screens: KeptScreens;
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  readonly #calls = new Map<number, AbortController>();
  readonly #attached = new Map<string, Attached>();
  readonly #waiting: HostRequest[] = [];
  #isAnswering = false;
  #hasRoom = (): void => undefined;
  #unfollow = (): void => undefined;

  constructor(host: TerminalHost, screens: KeptScreens, socket: Socket) {
    this.#host = host;
    this.#screens = screens;
    this.#socket = socket;
    const framer = createLineFramer({ maxLineBytes: LIMITS.terminalRequestBytes });
    socket.on("data", (chunk: Buffer) => {
      for (const line of framer.push(chunk)) {
        const request = line.kind === "line" ? parseRequest(line.bytes) : undefined;
        // A client that sends an invalid request is disconnected.
        if (request === undefined) return socket.destroy();
        this.#take(request);
      }
      if (framer.pendingBytes() > LIMITS.terminalRequestBytes) socket.destroy();
      return undefined;
    });
    socket.on("drain", () => {
      this.#hasRoom();
      this.#attached.forEach(({ pump }) => pump.wake());
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#close());
  }

  #close(): void {
    this.#waiting.length = 0;
    this.#hasRoom();
    this.#unfollow();
    this.#gone.abort(new Error("the client is gone"));
    for (const { pump, leave } of this.#attached.values()) {
      pump.stop();
      leave();
    }
    this.#attached.clear();
  }

  #send(frame: HostReply | HostPush): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  #take(request: HostRequest): void {
    if (request.op === "cancel") return this.#calls.get(Number(request["call"]))?.abort(new Error("given up"));
    if (!IN_TURN.has(request.op)) return void this.#answer(request);
    this.#waiting.push(request);
    if (this.#waiting.length > WAITING_REQUESTS) this.#socket.pause();
    return void this.#answerInTurn();
  }

  async #answer(request: HostRequest): Promise<void> {
    try {
      this.#send({ n: request.n, ok: true, ...(await this.#run(request)) });
    } catch (error) {
      this.#send(refusalOf(request.n, error));
    }
  }

  /** Answers waiting requests in order. A reply is built only when the client reads, to bound the host's memory. */
  async #answerInTurn(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    for (let request = this.#waiting.shift(); request !== undefined; request = this.#waiting.shift()) {
      await this.#answer(request);
      if (this.#isCongested()) await new Promise<void>((resolve) => (this.#hasRoom = resolve));
      if (this.#waiting.length === 0) this.#socket.resume();
    }
    this.#isAnswering = false;
  }

  #isCongested(): boolean {
    return this.#socket.writable && this.#socket.writableLength > LIMITS.socketBacklogBytes;
  }

  async #run(request: HostRequest): Promise<Answer> {
    if (request.op === "attach") return this.#attach(request);
    if (request.op === "detach") return this.#detach(String(request["id"]));
    if (request.op === "follow") return this.#follow();
    const operation = OPERATIONS.get(request.op);
    if (operation === undefined) {
      throw new ClawError("TERMINAL_HOST_FAILED", `the terminal host knows no ${request.op}`, {
        operation: request.op,
        target: "terminal-host",
      });
    }
    const own = new AbortController();
    this.#calls.set(request.n, own);
    const { signal, release } = joinSignals({ signals: [own.signal, this.#gone.signal] });
    try {
      return await operation({ host: this.#host, screens: this.#screens, request, signal });
    } finally {
      release();
      this.#calls.delete(request.n);
    }
  }

  #follow(): Answer {
    this.#unfollow();
    this.#unfollow = this.#host.facts.follow((fact) => this.#send({ push: "fact", ...fact }));
    return {};
  }

  /** Attaches from an offset, or from a drawing of the present screen. */
  async #attach(request: HostRequest): Promise<Answer> {
    const id = String(request["id"]);
    const { from } = request;
    const terminal = this.#host.find(id);
    this.#detach(id);
    const drawn = typeof from === "number" ? undefined : await this.#screens.draw(terminal);
    const pump = createOutputPump({
      terminal,
      from: typeof from === "number" ? from : (drawn?.screen.offset ?? 0),
      congested: () => this.#isCongested(),
      send: (offset, bytes) => this.#send({ push: "output", id, offset, data: bytes.toString("base64") }),
      ended: () => this.#ended(terminal),
    });
    this.#attached.set(id, { pump, leave: this.#host.onChange(id, () => pump.wake()) });
    pump.wake();
    return { terminal: terminal.about(), screen: drawn?.text ?? null };
  }

  #ended(terminal: HostedTerminal): void {
    const { id, end } = terminal.about();
    const { exitCode = null, signal = null } = end ?? {};
    this.#detach(id);
    this.#send({ push: "ended", id, exitCode, signal });
  }

  #detach(id: string): Answer {
    const attached = this.#attached.get(id);
    attached?.pump.stop();
    attached?.leave();
    this.#attached.delete(id);
    return {};
  }
}
