import { join } from "node:path";
import type { Observer } from "claw-client";
import type { HarnessId, ProcessIdentity, ReceivedReply, WorkerView } from "claw-contract";
import { HARNESS_IDS, LIMITS, WORKER_FILES } from "claw-contract";
import { readJsonFile, readSmallFile } from "../../../files/index.ts";
import { isRunning } from "../../../process/index.ts";
import { patiently } from "../../bus/patiently.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { WorkerFolder } from "./worker-log.ts";
import { harnessIn, lastLogLines, piecesOf } from "./worker-log.ts";

/** The files of a worker without a terminal, on this machine or on another. */
export interface WorkerFiles {
  readonly id: string;
  /** File with what the worker's own process printed. */
  readonly processLog: string;
  /** The agent that writes the stream; undefined when that is unknown. */
  readonly harness: HarnessId | undefined;
  /** Whether the worker's process runs. */
  isRunning(): Promise<boolean>;
  /** The file with the agent's stream; null before there is one. */
  streamPath(): Promise<string | null>;
  /** The agent's stream as far as it is written, from an offset on. */
  stream(from: number): AsyncIterable<Uint8Array>;
  /** Resolves when there may be more than that, or after a short time. Rejects with the signal's reason. */
  whenMore(from: number, signal: AbortSignal): Promise<void>;
  /** The last lines that the worker's own process printed. */
  lastWords(lines: number): Promise<string[]>;
}

/** How often a followed file is checked for new output. */
const LOOK_MS = 150;

/** Resolves after a while. Rejects with the signal's reason. */
export function lookAgain(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, LOOK_MS);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** The files in a worker's folder. They can be read with or without a daemon. */
export function filesHere({ id, folder }: WorkerFolder, ports: Ports): WorkerFiles {
  const path = join(folder, WORKER_FILES.transcript);
  return {
    id,
    processLog: join(folder, WORKER_FILES.log),
    harness: harnessIn(folder),
    isRunning: () => {
      const identity = readJsonFile<ProcessIdentity>(join(folder, WORKER_FILES.process), LIMITS.settingsBytes);
      return Promise.resolve(identity !== undefined && isRunning(identity as ProcessIdentity));
    },
    streamPath: () => Promise.resolve(readSmallFile(path, 0).kind === "absent" ? null : path),
    stream: async function* stream(from) {
      yield* piecesOf(ports, path, from);
    },
    whenMore: (_from, signal) => lookAgain(signal),
    lastWords: (lines) => Promise.resolve(lastLogLines(ports, folder, lines)),
  };
}

type Page = ReceivedReply<"worker.log">;

/** How long the other daemon waits for more before it answers. */
const WAIT_MS = 5000;

/**
 * The files of a worker on another machine, read through the daemons. Undefined for a worker that another program
 * started. Rejects with MACHINE_AWAY.
 */
export async function filesElsewhere(
  bus: Pick<Observer, "request">,
  { peer_id: id }: WorkerView,
): Promise<WorkerFiles | undefined> {
  let newest: { readonly offset: number; readonly page: Page } | undefined;
  const ask = async (offset: number, waitMs = 0): Promise<Page> => {
    const page = await patiently(() => bus.request("worker.log", { worker: id, offset, waitMs }));
    newest = { offset, page };
    return page;
  };
  const first = await ask(0);
  if (first.source === "none") return undefined;
  const end = (): number => newest?.page.next ?? 0;
  return {
    id,
    processLog: first.processLog ?? "",
    harness: HARNESS_IDS.find((each) => each === first.harness),
    isRunning: async () => (await ask(end())).running,
    streamPath: async () => (await ask(end())).path,
    stream: async function* stream(from) {
      for (let at = from; ;) {
        const known = newest?.offset === at && newest.page.data !== "" ? newest.page : await ask(at);
        if (known.data === "") return;
        at = known.next;
        yield Buffer.from(known.data, "base64");
      }
    },
    whenMore: async (from, signal) => {
      signal.throwIfAborted();
      await ask(from, WAIT_MS);
    },
    lastWords: async (lines) => (await ask(end())).lastWords.slice(-lines),
  };
}
