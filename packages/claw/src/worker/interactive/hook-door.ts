import { existsSync, renameSync, rmSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import type { LineFields } from "claw-contract";
import { HOOK_REPORT, LIMITS, readFrameLine, refusalFields, WORKER_FILES } from "claw-contract";
import { PRIVATE_FILE, readSmallFile, fileModes } from "../../files/index.ts";
import { answerOver } from "../../process/index.ts";

/** Bytes read of the reports that a hook could not deliver. */
const HOOK_MISSED_BYTES = 2 * 1024 * 1024;

/** Takes a report; resolves with the answer for the agent. The signal is aborted when no agent waits for the answer. */
export type TakeReport = (report: LineFields, gone: AbortSignal) => Promise<string | null>;

export interface HookDoor {
  close(): void;
}

/** Reports that the agent made while no worker was listening. */
const MISSED = "hooks.missed";
const TAKEN = "hooks.taken";
/** Number of reports read at a time. An agent that works correctly never needs more. */
const MAX_CONNECTIONS = 100;

/** Answers the reports of one connection. */
function attend(socket: Socket, take: TakeReport, report: (problem: string) => void): void {
  answerOver(socket, {
    maxLineBytes: LIMITS.hookReportBytes,
    maxCalls: 1,
    tooMany: () => new Error("one report at a time"),
    backlogBytes: LIMITS.socketBacklogBytes,
    answer: async ({ id: _id, cmd, ...fields }, gone) => {
      if (cmd !== HOOK_REPORT) throw new Error(`unknown request ${cmd}`);
      const failed = (error: unknown): null => {
        report(`a report of the agent failed: ${String(error)}`);
        return null;
      };
      return { answer: await take(fields, gone).catch(failed) };
    },
    refuse: (error) => refusalFields(error, "UNSUPPORTED_COMMAND"),
  });
}

/** Takes the reports made while the worker was away. No agent waits for their answers. */
async function takeMissed(folder: string, take: TakeReport): Promise<void> {
  const [missed, taken] = [join(folder, MISSED), join(folder, TAKEN)];
  if (!existsSync(taken) && existsSync(missed)) renameSync(missed, taken);
  const file = readSmallFile(taken, HOOK_MISSED_BYTES);
  for (const line of file.kind === "text" ? file.text.split("\n") : []) {
    const fields = readFrameLine(line);
    if (fields !== undefined) await take(fields, AbortSignal.abort());
  }
  rmSync(taken, { force: true });
}

/** Listens by the file name alone, because a socket path is limited to about a hundred bytes. */
function listenIn(server: Server, folder: string): Promise<void> {
  const before = process.cwd();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    process.chdir(folder);
    try {
      rmSync(WORKER_FILES.hooks, { force: true });
      server.listen(WORKER_FILES.hooks, resolve);
      fileModes.setMode(WORKER_FILES.hooks, PRIVATE_FILE);
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
  await listenIn(server, folder);
  server.on("error", (error) => report(`the agent's reports are not heard: ${error.message}`));
  await takeMissed(folder, take);
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
