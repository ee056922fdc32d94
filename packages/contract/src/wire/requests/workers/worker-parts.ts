import * as z from "zod";
import { Worktree } from "../../../events/families/worktree.ts";
import { looseOr } from "../../define-request.ts";
import { WORKER_RESULTS } from "../../../events/families/worker.ts";
import { COMPLETIONS } from "../../../workers/worker-record.ts";

/** A worker by its id or name. A value that is no text names no worker. */
export const workerName = (description: string) => looseOr(z.string(), "").describe(description);

/** Anything but `true` means no. */
export const looseFlag = (description: string) => looseOr(z.boolean(), false).describe(description);

export const dryRun = looseFlag("Whether the request only says what it would do.");

/** A worker that was started. */
export const StartedWorker = z.object({
  peerId: z.string(),
  name: z.string(),
  pid: z.int().describe("The worker's process."),
  bootId: z.string().describe("This life of the worker."),
  attempt: z.int().describe("1 for the first start; a restart counts on."),
  folder: z.string().describe("Folder for the files that the worker needs and leaves."),
  worktree: Worktree.nullable(),
});

/** A worker and the result it reported. */
export const JudgedWorker = z.object({
  peerId: z.string(),
  name: z.string(),
  result: z.enum(WORKER_RESULTS).nullable().describe("How the worker says it ended; null when it reported nothing."),
  summary: z.string().nullable().describe("What the worker says it did."),
  completion: z.enum(COMPLETIONS).describe("What became of the result."),
});
