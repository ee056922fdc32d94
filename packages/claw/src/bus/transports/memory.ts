import type { Accept, Connection, ConnectionHandler, Transport } from "../transport.ts";

/** The client's end of a connection within one process. */
export interface MemoryClient {
  send(text: string): void;
  /** Frames received so far. */
  readonly frames: string[];
  /** Pretends that the client reads no more, or reads again. */
  congest(on: boolean): void;
  close(): void;
  /** Whether the server hung up. */
  ended(): boolean;
}

export interface MemoryTransport extends Transport {
  connect(): MemoryClient;
}

/** A transport without sockets: lines go in by call, frames come out in an array. */
export function createMemoryTransport(): MemoryTransport {
  let accept: Accept | undefined;
  const handlers = new Set<ConnectionHandler>();
  return {
    listen: (accepting) => {
      accept = accepting;
      return Promise.resolve();
    },
    close: () => {
      for (const handler of handlers) handler.closed();
      handlers.clear();
      return Promise.resolve();
    },
    connect: () => {
      if (accept === undefined) throw new Error("the transport does not listen");
      const frames: string[] = [];
      let congested = false;
      let ended = false;
      const connection: Connection = {
        send: (frame) => void (ended || frames.push(frame)),
        congested: () => congested,
        end: () => {
          ended = true;
          hangUp();
        },
      };
      const handler = accept(connection);
      handlers.add(handler);
      const hangUp = (): void => {
        if (handlers.delete(handler)) handler.closed();
      };
      return {
        frames,
        send: (text) => handler.line(text),
        congest: (on) => {
          congested = on;
          if (!on) handler.drained();
        },
        close: hangUp,
        ended: () => ended,
      };
    },
  };
}
