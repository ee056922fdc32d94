import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { createLineFramer, LIMITS, WORKER_FILES } from "@claw/contract";
import { PRIVATE_FILE, readSmallFile } from "../../files/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Takes a report; resolves with the answer for the agent. The signal is aborted when no agent waits for the answer. */
export type TakeReport = (report: Fields, gone: AbortSignal) => Promise<string | null>;

export interface HookDoor {
  close(): void;
}

/** Reports that the agent made while no worker was listening. */
const MISSED = "hooks.missed";
const TAKEN = "hooks.taken";
/** Number of reports read at a time. An agent that works correctly never needs more. */
const MAX_CONNECTIONS = 100;

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    // The text is cut off, or does not come from an agent.
    return undefined;
  }
}

/** Reads a report from the socket and answers it. */
function attend(socket: Socket, take: TakeReport, report: (problem: string) => void): void {
  const framer = createLineFramer({ maxLineBytes: LIMITS.hookReportBytes });
  const gone = new AbortController();
  let heard = false;
  socket.on("error", () => socket.destroy());
  socket.on("close", () => gone.abort());
  socket.on("data", (chunk: Buffer) => {
    for (const line of heard ? [] : framer.push(chunk)) {
      heard = true;
      const fields = line.kind === "line" ? parse(Buffer.from(line.bytes).toString()) : undefined;
      const answered = fields === undefined ? Promise.resolve(null) : take(fields, gone.signal);
      answered
        .catch((error: unknown) => {
          report(`a report of the agent failed: ${String(error)}`);
          return null;
        })
        .then(
          (answer) => socket.end(answer ?? ""),
          () => socket.destroy(),
        );
      break;
    }
  });
}

/** Takes the reports made while the worker was away. No agent waits for their answers. */
async function takeMissed(folder: string, take: TakeReport): Promise<void> {
  const [missed, taken] = [join(folder, MISSED), join(folder, TAKEN)];
  if (!existsSync(taken) && existsSync(missed)) renameSync(missed, taken);
  const file = readSmallFile(taken, LIMITS.hookMissedBytes);
  for (const line of file.kind === "text" ? file.text.split("\n") : []) {
    const fields = parse(line);
    if (fields !== undefined) await take(fields, AbortSignal.abort());
  }
  rmSync(taken, { force: true });
}

/** Listens by the file name alone, because a socket path is limited to about a hundred bytes. */
function listen(server: Server, folder: string): Promise<void> {
  const before = process.cwd();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    process.chdir(folder);
    try {
      rmSync(WORKER_FILES.hooks, { force: true });
      server.listen(WORKER_FILES.hooks, resolve);
      chmodSync(WORKER_FILES.hooks, PRIVATE_FILE);
    } finally {
      process.chdir(before);
    }
  });
}

/** Listens for the agent's reports. Reports made before are taken first. Rejects when listening fails. */
export async function openHookDoor(
  folder: string,
  take: TakeReport,
  report: (problem: string) => void,
): Promise<HookDoor> {
  await takeMissed(folder, take);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    attend(socket, take, report);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, folder);
  server.on("error", (error) => report(`the agent's reports are not heard: ${error.message}`));
  await takeMissed(folder, take);
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
