/** Sockets of Node, for `channel` of the connect functions. */
import type { NetConnectOpts, Socket } from "node:net";
import { connect } from "node:net";
import { CLIENT_LIMITS, createLineFramer, onAbort } from "claw-contract/client";
import type { OpenChannel, Channel } from "./connection/channel.ts";
import { LineQueue } from "./connection/channels/line-queue.ts";

/** Callers wait at the gate. `open` lets each waiting caller continue once; later callers wait for the next `open`. */
interface SignalGate {
  wait(): Promise<void>;
  open(): void;
}

function createSignalGate(): SignalGate {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    open: () => {
      const all = waiting;
      waiting = [];
      for (const resume of all) resume();
    },
  };
}

/** Connects to a socket of this machine or another. */
function socketChannel(target: NetConnectOpts): OpenChannel {
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = connect(target);
      const stop = onAbort(signal, () => socket.destroy(new Error("the caller no longer waits")));
      socket.setTimeout(CLIENT_LIMITS.openTimeoutMs, () => socket.destroy(new Error("no answer came in time")));
      socket.once("error", reject);
      socket.once("connect", () => {
        stop();
        socket.setTimeout(0);
        socket.off("error", reject);
        resolve(createChannel(socket));
      });
    });
}

/** Gathers the lines of one turn of the loop into one write. */
function createWriter(socket: Socket): { write(line: string): boolean; flush(): void } {
  let pending: string[] = [];
  let pendingSize = 0;
  const flush = (): void => {
    if (pending.length === 0) return;
    const text = `${pending.join("\n")}\n`;
    pending = [];
    pendingSize = 0;
    if (socket.writable) socket.write(text);
  };
  return {
    write: (line) => {
      pendingSize += line.length;
      if (pending.push(line) === 1) queueMicrotask(flush);
      return pendingSize + socket.writableLength <= CLIENT_LIMITS.unsentBytes;
    },
    flush,
  };
}

function createChannel(socket: Socket): Channel {
  const framer = createLineFramer({ maxLineBytes: CLIENT_LIMITS.frameBytes });
  const queue = new LineQueue(() => socket.resume());
  const gate = createSignalGate();
  const writer = createWriter(socket);
  socket.on("data", (chunk: Buffer) => {
    const lines = framer.push(chunk);
    queue.push(lines.flatMap((line) => (line.kind === "line" && line.bytes.length > 0 ? [decode(line.bytes)] : [])));
    if (lines.some(({ kind }) => kind === "oversize")) socket.destroy();
    if (queue.waiting() > CLIENT_LIMITS.unreadBytes) socket.pause();
  });
  socket.on("drain", () => gate.open());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    queue.end();
    gate.open();
  });
  return {
    send: (line) => socket.destroyed || writer.write(line),
    drained: () => {
      writer.flush();
      return socket.writableLength <= CLIENT_LIMITS.unsentBytes ? Promise.resolve() : gate.wait();
    },
    receive: () => queue.take(),
    close: () => {
      writer.flush();
      queue.clear();
      // Whatever was sent goes out first, and what still comes in is let go.
      socket.resume();
      socket.destroySoon();
    },
  };
}

const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");

/** The unix socket of a workspace, usually `.claws/claws.sock`. */
export const unixChannel = (path: string): OpenChannel => socketChannel({ path });

export const tcpChannel = (port: number, host = "127.0.0.1"): OpenChannel => socketChannel({ port, host });
