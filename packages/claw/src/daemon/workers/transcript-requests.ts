import { join } from "node:path";
import type { ReadRequest, ReplyFields } from "claw-contract";
import { createRedactor, environmentSecrets, LIMITS, nonEmptyText, WORKER_FILES } from "claw-contract";
import type { RequestHandler, RequestOutcome } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";

/** A part of a transcript. */
export type TranscriptPart = Omit<ReplyFields<"worker.transcript">, "peerId" | "name" | "source">;

export interface TranscriptAsked {
  readonly path: string;
  /** The agent that wrote the transcript. */
  readonly harness: string;
  /** The items before this position; or the items from a position on; or the newest items. */
  readonly range: { readonly before: number } | { readonly after: number } | "newest";
  readonly limit: number;
  readonly redact: (text: string) => string;
}

/** Reads a part of a transcript; null when the file is not there. Rejects with a file error. */
export type ReadTranscript = (asked: TranscriptAsked) => Promise<TranscriptPart | null>;

export interface TranscriptOptions {
  readonly readTranscript?: ReadTranscript | undefined;
  readonly env: NodeJS.ProcessEnv;
}

const NO_PART: TranscriptPart = { items: [], first: 0, next: 0, hasOlder: false, hasNewer: false, bytes: 0 };

type Answer = RequestOutcome<ReplyFields<"worker.transcript">>;
type Asked = ReadRequest<"worker.transcript">;

function rangeOf({ before, after }: Asked): TranscriptAsked["range"] {
  if (before !== undefined) return { before };
  return after === undefined ? "newest" : { after };
}

async function partOf(
  worker: RegisteredWorker,
  asked: Asked,
  options: TranscriptOptions,
): Promise<TranscriptPart | null> {
  const { spawned } = worker;
  const folder = nonEmptyText(spawned?.folder);
  if (spawned === null || folder === undefined || options.readTranscript === undefined) return null;
  const redactor = createRedactor({ secrets: environmentSecrets(options.env) });
  return await options.readTranscript({
    path: join(folder, WORKER_FILES.transcript),
    harness: spawned.harness,
    range: rangeOf(asked),
    limit: asked.limit ?? LIMITS.transcriptItems,
    redact: (text) => redactor.redactText(text),
  });
}

async function outcomeFor(worker: RegisteredWorker, asked: Asked, options: TranscriptOptions): Promise<Answer> {
  const { peerId, name } = worker;
  try {
    const part = await partOf(worker, asked, options);
    return ok({ peerId, name, source: part === null ? "none" : "transcript", ...(part ?? NO_PART) });
  } catch (failure) {
    return error(`the transcript cannot be read: ${String(failure)}`);
  }
}

/** Answers `worker.transcript`. */
export const transcriptRequest = (registry: Pick<WorkerRegistry, "find">, options: TranscriptOptions): RequestHandler =>
  handlePeers("worker.transcript", ({ request }, done) => {
    const worker = registry.find(request.worker);
    if (worker === undefined) {
      return done(error(`there is no worker ${request.worker.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    if (request.before !== undefined && request.after !== undefined) {
      return done(error("a part is before a position or after one, not both", { code: "PUBLISH_INVALID" }));
    }
    return void (async () => done(await outcomeFor(worker, request, options)))();
  });
