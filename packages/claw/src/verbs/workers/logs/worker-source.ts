import type { WorkerView } from "claw-contract";
import { ClawError, createLineFramer, LIMITS } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import type { OutputPiece } from "./terminal-output.ts";
import type { WorkerFiles } from "./worker-files.ts";
import { summariseTranscript } from "./worker-log.ts";
import { workerOutput } from "./worker-output.ts";
import type { LogEntry, LogItem, LogSource, LogReading } from "./log-source.ts";
import { entry } from "./log-source.ts";
import { lineItems, noted } from "./terminal-source.ts";
import type { TranscriptStory } from "./transcript-story.ts";
import { createTranscriptStory } from "./transcript-story.ts";
import { watchBus } from "../../bus/ask-bus.ts";

export interface WorkerSourceOptions {
  readonly worker: WorkerFiles;
  readonly from: number;
  readonly follow: boolean;
}

/** The daemon's view of a worker; null while no daemon runs. */
async function liveWorker({ id }: WorkerFiles, ports: Ports): Promise<WorkerView | null> {
  try {
    return watchBus(ports, async (bus) => {
      const { workers } = await bus.request("worker.list");
      return workers.find(({ peer_id: peerId }) => peerId === id) ?? null;
    });
  } catch (error) {
    // Files on the disk are shown without a daemon, too.
    if (error instanceof ClawError && !ports.signal.aborted) return null;
    throw error;
  }
}

const LAST_LINES = 10;

/**
 * Entries for a worker whose process ended without a report: the daemon's reason, and the last lines of the process.
 */
async function lostEntries(worker: WorkerFiles, view: WorkerView | null): Promise<LogEntry[]> {
  const why = view === null ? "" : `: ${view.reason}`;
  const words = (await worker.lastWords(LAST_LINES)).filter((line) => line.trim() !== "");
  return [
    ...entry("error", `■ its process is gone and did not say how it ended${why}`),
    ...entry("note", words.map((line) => `  ${line}`).join("\n")),
  ];
}

const itemOf =
  (offset: number) =>
  ({ kind, text }: LogEntry): LogItem => ({ type: "output", offset, text, kind });

/** Reads the whole transcript, because the beginning explains the rest. Shows only entries at `from` or later. */
async function* storyItems(
  pieces: AsyncIterable<OutputPiece>,
  { story, from, reading }: { readonly story: TranscriptStory; readonly from: number; readonly reading: LogReading },
): AsyncGenerator<LogItem> {
  const framer = createLineFramer({ maxLineBytes: LIMITS.runLineBytes });
  let offset = 0;
  for await (const { bytes } of pieces) {
    for (const line of framer.push(bytes)) {
      const length = (line.kind === "oversize" ? line.bytes : line.bytes.length) + 1;
      const entries = line.kind === "oversize" ? entry("note", `(${line.bytes} bytes)`) : story.take(line.bytes);
      if (offset >= from) {
        reading.seen(offset, offset + length);
        yield* entries.map(itemOf(offset));
      }
      offset += length;
    }
  }
}

/** The log of a worker without a terminal, from the worker's transcript. */
export async function workerSource(options: WorkerSourceOptions, ports: Ports): Promise<LogSource> {
  const { worker, from } = options;
  const { HARNESSES } = await import("../../../harness/index.ts");
  const story = createTranscriptStory(HARNESSES[worker.harness ?? "claude-code"]);
  let view: WorkerView | null | undefined;
  async function* items(reading: LogReading): AsyncGenerator<LogItem> {
    let next = from;
    const noting = {
      seen: (offset: number, end: number): void => {
        next = end;
        reading.seen(offset, end);
      },
    };
    yield* storyItems(workerOutput({ ...options, from: 0 }, ports), { story, from, reading: noting });
    const isOver = !(await worker.isRunning());
    view = await liveWorker(worker, ports);
    const rest = isOver ? story.end() : [];
    const lost = isOver && !story.hasEnded() ? await lostEntries(worker, view) : [];
    yield* [...rest, ...lost].map(itemOf(next));
  }
  const raw = (reading: LogReading): AsyncIterable<OutputPiece> => noted(workerOutput(options, ports), reading);
  return {
    raw,
    items: (reading, isRaw) => (isRaw ? lineItems(raw(reading), true) : items(reading)),
    about: async () => {
      view ??= await liveWorker(worker, ports);
      return {
        terminal_id: null,
        worker_id: worker.id,
        transcript: await summariseTranscript(await worker.streamPath(), () => worker.stream(0)),
        process_log: worker.processLog,
        state: view?.state ?? null,
        reason: view?.reason ?? null,
      };
    },
    close: () => Promise.resolve(),
  };
}
