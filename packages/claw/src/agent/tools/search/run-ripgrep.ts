import { ClawError, LIMITS } from "claw-contract";
import { fileError } from "../../../files/index.ts";
import { createByteTail, joinSignals, openProcess } from "../../../process/index.ts";
import { commandEnvironment } from "../../sandbox/command-environment.ts";
import { findRipgrep } from "./find-ripgrep.ts";
import type { ToolDeps } from "../tool-deps.ts";

export interface RipgrepRequest {
  /** Flags without pattern and path. */
  readonly flags: readonly string[];
  /** Null lists files. */
  readonly pattern: string | null;
  /** The file or folder to search, as error messages name it. */
  readonly path: string;
  /** Paths that ripgrep searches in place of `path`; `path` unless given. */
  readonly names?: readonly string[];
  readonly timeoutMs: number;
  /** The character that ends each record: a line end, or NUL where records are names. */
  readonly ends: "\n" | "\0";
  /** Takes one record; returns false to stop. */
  readonly onRecord: (record: string) => boolean;
}

/** Nothing of the user's own settings, no links followed, hidden files seen. */
const BASE = ["--no-config", "--no-follow", "--hidden", "--color=never", "--no-messages", "--no-require-git"];

/**
 * Folders in which git and claw store data. A search that names such a folder still looks into it, except for the
 * daemon's folder. Session files hold every prompt and every result, so a search would find its own pattern there.
 * These globs stand behind all others, since the last glob that fits decides.
 */
const LEFT_OUT = [".git", "**/.claw/sessions", "**/.claw/idempotency", "**/.claws"].map((glob) => `--iglob=!${glob}`);

const NO_MATCH = 1;
const COMPLAINT_BYTES = 4096;

/**
 * Runs ripgrep over a file or folder. Resolves when ripgrep has ended or `onRecord` wants no more. Rejects with
 * ClawError when ripgrep does not understand the pattern or takes too long, and with the signal's reason when the
 * signal is aborted.
 */
export async function runRipgrep(request: RipgrepRequest, deps: ToolDeps, signal: AbortSignal): Promise<void> {
  const { workspace, environment } = deps;
  const env = commandEnvironment({ env: environment, workspace, manner: "listed" });
  const complaint = createByteTail(COMPLAINT_BYTES);
  const pattern = request.pattern === null ? [] : [`--regexp=${request.pattern}`];
  const child = await openProcess({
    argv: [
      findRipgrep(env["PATH"]),
      ...BASE,
      ...request.flags,
      ...LEFT_OUT,
      ...pattern,
      "--",
      ...(request.names ?? [request.path]),
    ],
    cwd: workspace.root,
    env,
    input: false,
    aheadBytes: LIMITS.runAheadBytes,
    onStderr: (chunk) => complaint.push(chunk),
    ending: { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs },
  }).catch((error: unknown) => {
    throw fileError(error, "search", request.path);
  });
  const limit = joinSignals({ signals: [signal], timeoutMs: request.timeoutMs });
  const end = (): void => void child.end();
  limit.signal.addEventListener("abort", end, { once: true });
  if (limit.signal.aborted) end();
  try {
    const isEnough = await readRecords(child.output, request);
    const { exitCode } = isEnough ? { exitCode: 0 } : await child.exited;
    signal.throwIfAborted();
    if (limit.signal.aborted) throw searchError(request, `it took more than ${LIMITS.searchMs} ms`);
    if (exitCode !== 0 && exitCode !== NO_MATCH) throw searchError(request, complaint.text());
  } finally {
    limit.release();
    await child.end();
  }
}

function searchError({ path }: RipgrepRequest, why: string): ClawError {
  return new ClawError("FILESYSTEM_ERROR", `cannot search ${path}: ${why.trim()}`, {
    operation: "search",
    target: path,
  });
}

/**
 * Passes records to `onRecord` until it returns false; resolves with whether it did. Records that are too long are left
 * out.
 */
async function readRecords(
  output: AsyncIterable<Uint8Array>,
  { ends, onRecord }: Pick<RipgrepRequest, "ends" | "onRecord">,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let held = "";
  let isTooLong = false;
  for await (const chunk of output) {
    const records = (held + decoder.decode(chunk, { stream: true })).split(ends);
    held = records.pop() ?? "";
    if (records.length > 0 && isTooLong) records.shift();
    isTooLong &&= records.length === 0;
    if (records.some((record) => !onRecord(record))) return true;
    if (held.length > LIMITS.runLineBytes) {
      held = "";
      isTooLong = true;
    }
  }
  return held !== "" && !isTooLong && !onRecord(held);
}
