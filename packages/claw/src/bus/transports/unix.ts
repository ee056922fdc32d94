import { lstatSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ClawError, LIMITS } from "claw-contract";
import { errnoOf, fileError, PRIVATE_FILE, PRIVATE_FOLDER, randomSuffix, fileModes } from "../../files/index.ts";
import type { Accept, TransportConnection, Transport } from "./transport.ts";
import { createHeldLines } from "./held-lines.ts";
import { createFrameReader } from "./frame-reader.ts";
import { createOpenClients } from "./open-clients.ts";

/** How long a daemon may take to answer on a socket that exists. */
const SOCKET_PROBE_MS = 250;

/** Length in bytes of the temporary name that a socket has at first. */
export const TEMPORARY_SOCKET_NAME = 8;

/** Errors of connecting to a socket where no process listens. */
const DEAD = new Set(["ECONNREFUSED", "ENOENT"]);

/** Whether a process may be listening at a socket path. No answer in time counts as yes. */
function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (live: boolean): void => {
      probe.destroy();
      resolve(live);
    };
    probe.setTimeout(SOCKET_PROBE_MS, () => done(true));
    probe.on("connect", () => done(true));
    probe.on("error", (error) => done(!DEAD.has(errnoOf(error) ?? "")));
  });
}

/** The socket of a process that is being killed accepts for a moment more, while its threads end. */
const LAST_LOOK_MS = 1000;
const LOOK_MS = 50;

async function refuseLive(path: string): Promise<void> {
  for (const end = performance.now() + LAST_LOOK_MS; performance.now() < end; await delay(LOOK_MS)) {
    if (!(await isLive(path))) return;
  }
  throw new ClawError("DAEMON_RUNNING", `a daemon listens at ${path} already`, { operation: "listen", target: path });
}

/** Connections with frames that were not handed to the system yet. */
function createUnsent() {
  let flushes: (() => void)[] = [];
  const flushAll = (): void => {
    const due = flushes;
    flushes = [];
    for (const flush of due) flush();
  };
  return {
    /** Sends at the end of the current turn, or earlier with `flushAll`. */
    add: (flush: () => void): void => {
      if (flushes.push(flush) === 1) queueMicrotask(flushAll);
    },
    flushAll,
  };
}

type Unsent = ReturnType<typeof createUnsent>;

/**
 * Gathers the frames of one turn of the loop into one write (bench bus, "window 100"). V8 keeps a text made of others as a
 * tree and lays it out once, for the write. A list of frames would be laid out twice, and would keep dead frames in memory
 * beside many peers (bench growth, "publish, 2,000 peers connected").
 */
function createConnection(
  socket: Socket,
  unsent: Unsent,
  hangingUp: () => void,
): TransportConnection & { backlogBytes(): number } {
  let pending = "";
  const flush = (): void => {
    if (pending === "") return;
    const text = pending;
    pending = "";
    if (!socket.destroyed && socket.writable) socket.write(text);
  };
  return {
    send: (frame) => {
      if (pending === "") unsent.add(flush);
      pending += `${frame}\n`;
    },
    backlogBytes: () => socket.writableLength + pending.length,
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
function serve(socket: Socket, accept: Accept, options: UnixOptions & { readonly unsent: Unsent }): () => void {
  const { unsent, partialLineMs = LIMITS.partialLineMs } = options;
  let by: "client" | "server" = "client";
  const hangingUp = (): void => void (by = "server");
  const hangUp = (): void => {
    hangingUp();
    socket.destroy();
  };
  const connection = createConnection(socket, unsent, hangingUp);
  const handler = accept(connection);
  const lines = createHeldLines({
    line: (text) => handler.line(text),
    backlogBytes: () => connection.backlogBytes(),
    pause: (on) => void (on ? socket.pause() : socket.resume()),
  });
  const reader = createFrameReader(
    {
      ...handler,
      line: (text) => lines.take(text),
      rest: () => {
        handler.rest?.();
        unsent.flushAll();
      },
    },
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

/** Makes the socket under a temporary name, then renames it over a dead socket in one step. Returns its inode. */
async function bind(server: Server, path: string): Promise<number> {
  const temporary = join(dirname(path), `.${randomSuffix().slice(0, TEMPORARY_SOCKET_NAME - 1)}`);
  const umask = fileModes.setMask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      server.listen(temporary, resolve);
    });
  } finally {
    fileModes.setMask(umask);
  }
  fileModes.setMode(temporary, PRIVATE_FILE);
  renameSync(temporary, path);
  return lstatSync(path).ino;
}

/** Removes the socket, unless another has taken its place. */
function unbind(path: string, inode: number): void {
  try {
    if (lstatSync(path).ino === inode) unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Listens at a path that only this user can reach. */
export function createUnixTransport(path: string, options: UnixOptions = {}): Transport {
  const clients = createOpenClients();
  const unsent = createUnsent();
  let running: { readonly server: Server; readonly inode: number } | undefined;
  return {
    listen: async (accept) => {
      const server = createServer((socket) => {
        const hangUp = serve(socket, accept, { ...options, unsent });
        socket.on("close", clients.add(hangUp));
      });
      server.maxConnections = options.maxConnections ?? LIMITS.connections;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
        await refuseLive(path);
        running = { server, inode: await bind(server, path) };
      } catch (error) {
        server.close();
        throw fileError(error, "listen at", path);
      }
    },
    close: async () => {
      const { server, inode } = running ?? {};
      running = undefined;
      const closing = new Promise<void>((resolve) => {
        if (server === undefined) resolve();
        else server.close(() => resolve());
      });
      if (inode !== undefined) unbind(path, inode);
      await Promise.all([clients.hangUp(), closing]);
    },
  };
}
