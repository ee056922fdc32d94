import { lstatSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import {
  hideFromGit,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  randomSuffix,
  unlessRefused,
  fileModes,
} from "../../files/index.ts";
import { findHost, isOwnRecord, removeHostRecord, writeHostRecord } from "../storage/host-record.ts";
import { createHostDoor } from "./host-door.ts";
import { HostSession } from "./host-session.ts";
import { openHostToken } from "../storage/host-token.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { createKeptScreens } from "./kept-screens.ts";
import type { loadPty } from "../pty/load-pty.ts";
import type { TerminalHost } from "./terminal-host.ts";
import { createTerminalHost } from "./terminal-host.ts";

export interface RunHostOptions {
  /** `.claws`. */
  readonly folder: string;
  readonly socket: string;
  readonly pty: ReturnType<typeof loadPty>;
  readonly report: (problem: string) => void;
  readonly idleMs?: number;
}

/** How often the host checks whether clients can still find it, and whether they need it. */
const LOOK_MS = 1000;

/** Listens under a temporary name first. The rename then replaces a dead socket in one step. */
async function listen(server: Server, path: string): Promise<void> {
  const temporary = join(dirname(path), `.${randomSuffix().slice(0, 7)}`);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(temporary, resolve);
  });
  fileModes.setMode(temporary, PRIVATE_FILE);
  renameSync(temporary, path);
}

function removeSocket(path: string): void {
  unlessRefused(() => {
    if (lstatSync(path).isSocket()) unlinkSync(path);
  });
}

interface Watched {
  readonly options: RunHostOptions;
  readonly host: TerminalHost;
  readonly connections: ReadonlySet<Socket>;
}

/** Resolves when the host is not needed or cannot be found: with whether the folder's record still belongs to it. */
function untilDone({ options, host, connections }: Watched, stop: AbortSignal): Promise<boolean> {
  const { folder, idleMs = LIMITS.terminalHostIdleMs } = options;
  return new Promise((resolve) => {
    const watch = createIdleWatch(idleMs, Date.now());
    const done = (isOwn: boolean): void => {
      clearInterval(timer);
      resolve(isOwn);
    };
    const look = (): void => {
      const isNeeded = host.openCount() > 0 || connections.size > 0;
      const found = watch({ isOwn: isOwnRecord(folder), isNeeded, now: Date.now() });
      if (found !== "goes on") done(found === "idle");
    };
    const timer = setInterval(look, LOOK_MS);
    stop.addEventListener("abort", () => done(true), { once: true });
    if (stop.aborted) done(true);
  });
}

/** Runs the terminal host of a folder until no client needs it, or it is told to stop. */
export async function runHost(options: RunHostOptions, stop: AbortSignal): Promise<void> {
  const { folder, socket: path, pty, report } = options;
  const running = findHost(folder);
  if (running !== undefined) {
    throw new ClawError("TERMINAL_HOST_FAILED", `process ${running.pid} is the terminal host of this folder`, {
      operation: "start_terminal_host",
      target: folder,
    });
  }
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  hideFromGit(folder);
  const host = createTerminalHost({ folder, library: pty.library, report });
  const screens = createKeptScreens();
  const connections = new Set<Socket>();
  const enter = (socket: Socket): HostSession => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    return new HostSession(host, screens, socket);
  };
  const door = createHostDoor({ token: openHostToken(folder, report), enter });
  const server = createServer((socket) => door.knock(socket));
  await listen(server, path);
  writeHostRecord(folder, path, pty.path);
  const isOwn = await untilDone({ options, host, connections }, stop);
  await host.closeAll("error");
  server.close();
  door.close();
  for (const socket of connections) socket.destroy();
  if (!isOwn) return;
  removeHostRecord(folder);
  removeSocket(path);
}
