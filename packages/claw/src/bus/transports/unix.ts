import { chmodSync, mkdirSync, unlinkSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";
import { ClawError, LIMITS } from "@claw/contract";
import { errnoOf, PRIVATE_FOLDER } from "../../files/index.ts";
import type { Accept, Connection, Transport } from "../transport.ts";
import { createHeldLines } from "./held-lines.ts";
import { createLineReader } from "./line-reader.ts";

/** Whether somebody answers at a socket path. */
function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (live: boolean): void => {
      probe.destroy();
      resolve(live);
    };
    probe.setTimeout(LIMITS.socketProbeMs, () => done(true));
    probe.on("connect", () => done(true));
    probe.on("error", () => done(false));
  });
}

/** Removes the socket of a server that died; refuses when one lives. */
async function clearPath(path: string): Promise<void> {
  if (await isLive(path)) {
    throw new ClawError("DAEMON_RUNNING", `a daemon listens at ${path} already`, { operation: "listen", target: path });
  }
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Gathers the frames of one turn of the loop into one write. */
function createConnection(socket: Socket, hangingUp: () => void): Connection & { backlogBytes(): number } {
  let pending: string[] = [];
  let pendingLength = 0;
  const flush = (): void => {
    if (pending.length === 0) return;
    const text = `${pending.join("\n")}\n`;
    pending = [];
    pendingLength = 0;
    if (!socket.destroyed && socket.writable) socket.write(text);
  };
  return {
    send: (frame) => {
      pendingLength += frame.length;
      if (pending.push(frame) === 1) queueMicrotask(flush);
    },
    backlogBytes: () => socket.writableLength + pendingLength,
    congested: () => socket.writableLength > LIMITS.socketBacklogBytes,
    end: () => {
      hangingUp();
      flush();
      socket.end();
      setTimeout(() => socket.destroy(), LIMITS.hangUpMs).unref();
    },
  };
}

/** Serves a client until it or this side hangs up; returns how to hang up at once. */
function serve(socket: Socket, accept: Accept, { partialLineMs = LIMITS.partialLineMs }: UnixOptions): () => void {
  let by: "client" | "server" = "client";
  const hangingUp = (): void => void (by = "server");
  const hangUp = (): void => {
    hangingUp();
    socket.destroy();
  };
  const connection = createConnection(socket, hangingUp);
  const handler = accept(connection);
  const lines = createHeldLines({
    line: (text) => handler.line(text),
    backlogBytes: () => connection.backlogBytes(),
    pause: (on) => void (on ? socket.pause() : socket.resume()),
  });
  const reader = createLineReader(
    { line: (text) => lines.take(text), oversize: () => handler.oversize() },
    { partialLineMs, stalled: hangUp },
  );
  socket.on("data", (chunk: Buffer) => reader.push(chunk));
  socket.on("drain", () => {
    lines.resume();
    handler.drained();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    reader.close();
    handler.closed(by);
  });
  return hangUp;
}

export interface UnixOptions {
  readonly partialLineMs?: number;
  /** Beyond these, clients are hung up on. */
  readonly maxConnections?: number;
}

/** Listens at a path that only this user can reach. */
export function createUnixTransport(path: string, options: UnixOptions = {}): Transport {
  const hangUps = new Set<() => void>();
  let server: Server | undefined;
  return {
    listen: async (accept) => {
      mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      await clearPath(path);
      const listening = createServer((socket) => {
        const hangUp = serve(socket, accept, options);
        hangUps.add(hangUp);
        socket.on("close", () => hangUps.delete(hangUp));
      });
      listening.maxConnections = options.maxConnections ?? LIMITS.connections;
      server = listening;
      const umask = process.umask(0o177);
      try {
        await new Promise<void>((resolve, reject) => {
          listening.on("error", reject);
          listening.listen(path, resolve);
        });
      } finally {
        process.umask(umask);
      }
      chmodSync(path, 0o600);
    },
    close: () =>
      new Promise((resolve) => {
        for (const hangUp of hangUps) hangUp();
        if (server === undefined) resolve();
        else server.close(() => resolve());
      }),
  };
}
