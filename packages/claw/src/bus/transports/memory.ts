import { LIMITS } from "claw-contract";
import type { Accept, TransportConnection, ConnectionHandler, Entrance, Transport } from "./transport.ts";
import { createHeldLines } from "./held-lines.ts";
import { createFrameReader } from "./frame-reader.ts";

/** The client's end of a connection within one process. */
export interface MemoryClient {
  /** A whole line. */
  send(text: string): void;
  /** Any bytes, as a socket would carry them. */
  write(bytes: Uint8Array): void;
  /** All frames received until now. */
  readonly frames: string[];
  /** Pretends that the client reads no more, or reads again. */
  congest(on: boolean): void;
  close(): void;
  /** Whether the server hung up. */
  ended(): boolean;
}

export interface MemoryTransport extends Transport {
  /** An entrance pretends that the client came from elsewhere. Beyond the limit, the client is hung up on. */
  connect(entrance?: Entrance): MemoryClient;
}

export interface MemoryOptions {
  readonly partialLineMs?: number;
  readonly maxConnections?: number;
}

/** A transport without sockets: lines go in by call, frames come out in an array. */
export function createMemoryTransport(options: MemoryOptions = {}): MemoryTransport {
  const { partialLineMs = LIMITS.partialLineMs, maxConnections = LIMITS.connections } = options;
  let accept: Accept | undefined;
  const hangUps = new Set<() => void>();
  return {
    listen: (accepting) => {
      accept = accepting;
      return Promise.resolve();
    },
    close: () => {
      for (const hangUp of hangUps) hangUp();
      return Promise.resolve();
    },
    connect: (entrance) => {
      if (accept === undefined) throw new Error("the transport does not listen");
      return hangUps.size < maxConnections ? serve(accept, { entrance, partialLineMs, hangUps }) : turnAway();
    },
  };
}

interface Serving {
  readonly entrance: Entrance | undefined;
  readonly partialLineMs: number;
  /** Of every client that is connected. */
  readonly hangUps: Set<() => void>;
}

/** The server's end: frames pile up where the client looks for them. */
function createConnection(hangUp: () => void) {
  const frames: string[] = [];
  const state = { congested: false, unread: 0, ended: false };
  const connection: TransportConnection = {
    send: (frame) => {
      if (state.ended) return;
      frames.push(frame);
      if (state.congested) state.unread += frame.length;
    },
    congested: () => state.congested,
    end: hangUp,
  };
  return { frames, state, connection };
}

function serve(accept: Accept, { entrance, partialLineMs, hangUps }: Serving): MemoryClient {
  const { frames, state, connection } = createConnection(() => hangUp());
  const handler: ConnectionHandler = accept(connection, entrance);
  const leave = (by: "client" | "server"): void => {
    if (!hangUps.delete(hangUp)) return;
    reader.close();
    handler.closed(by);
  };
  const hangUp = (): void => {
    state.ended = true;
    leave("server");
  };
  const line = (text: string): void => handler.line(text);
  const lines = createHeldLines({ line, backlogBytes: () => state.unread, pause: () => undefined });
  const reader = createFrameReader(
    { ...handler, line: (text) => lines.take(text) },
    { partialLineMs, stalled: hangUp },
  );
  hangUps.add(hangUp);
  return {
    frames,
    send: (text) => void (state.ended || lines.take(text)),
    write: (bytes) => void (state.ended || reader.push(bytes)),
    congest: (on) => {
      state.congested = on;
      if (on) return;
      state.unread = 0;
      lines.resume();
      handler.drained();
    },
    close: () => leave("client"),
    ended: () => state.ended,
  };
}

const turnAway = (): MemoryClient => ({
  frames: [],
  send: () => undefined,
  write: () => undefined,
  congest: () => undefined,
  close: () => undefined,
  ended: () => true,
});
