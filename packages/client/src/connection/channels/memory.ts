import { CLIENT_LIMITS } from "claw-contract/client";
import type { Channel, OpenChannel } from "../channel.ts";
import { platform } from "../../platform.ts";
import { LineQueue } from "./line-queue.ts";

/** A client as a server within the same process sees it. */
export interface LineConnection {
  send(frame: string): void;
  congested(): boolean;
  end(): void;
}

/** Calls that the in-process server receives from a client. */
export interface LineHandler {
  line(text: string): void;
  drained(): void;
  closed(): void;
}

export type AcceptLines = (connection: LineConnection) => LineHandler;

/** Connects to a server in the same process. Lines arrive after the current turn, as they would through a socket. */
export function memoryChannel(accept: AcceptLines): OpenChannel {
  return async (signal) => {
    if (signal?.aborted) throw new Error("the caller no longer waits");
    return connect(accept);
  };
}

function connect(accept: AcceptLines): Channel {
  let congested = false;
  let open = true;
  const queue = new LineQueue(() => {
    if (!congested) return;
    congested = false;
    if (open) handler.drained();
  });
  const hangUp = (end: () => void): void => {
    if (!open) return;
    open = false;
    end();
    platform.queueMicrotask(() => handler.closed());
  };
  const handler = accept({
    send: (frame) => {
      queue.push([frame]);
      congested ||= queue.waiting() > CLIENT_LIMITS.unreadBytes;
    },
    congested: () => congested,
    end: () => hangUp(() => queue.end()),
  });
  return {
    send: (line) => {
      platform.queueMicrotask(() => {
        if (open) handler.line(line);
      });
      return true;
    },
    drained: () => Promise.resolve(),
    receive: () => queue.take(),
    close: () => hangUp(() => queue.clear()),
  };
}
