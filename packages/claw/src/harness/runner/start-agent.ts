import { statSync } from "node:fs";
import type { Redactor, HarnessId } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { OpenProcess } from "../../process/index.ts";
import { createByteTail, openProcess, findProgram } from "../../process/index.ts";
import { createRunReader } from "../stream/create-run-reader.ts";
import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import type { RunReader, RunReaderOptions } from "../stream/run-reader.ts";
import type { Decide } from "./question-queue.ts";
import type { RunFolder } from "./run-folder.ts";
import { openRunFolder } from "./run-folder.ts";
import type { SilenceLimits } from "./watchdog.ts";

const AGENT_NAMES: Readonly<Record<HarnessId, string>> = {
  "claude-code": "Claude",
  codex: "Codex",
  claw: "claw",
  fake: "Fake",
};

export interface AgentPlace {
  readonly harness: HarnessId;
  /** Name or path of the program. */
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function agentError(code: "HARNESS_NOT_FOUND" | "HARNESS_NOT_EXECUTABLE", message: string, target: string): ClawError {
  return new ClawError(code, message, { operation: "start_agent", target });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function noFolder(cwd: string, cause?: unknown): ClawError {
  return new ClawError("INVALID_CWD", `the folder ${cwd} does not exist`, {
    operation: "start_agent",
    target: cwd,
    cause,
  });
}

/** The absolute path of an agent's program. Throws HARNESS_NOT_FOUND, HARNESS_NOT_EXECUTABLE or INVALID_CWD. */
export function locateAgent({ harness, program, cwd, env }: AgentPlace): string {
  if (!isFolder(cwd)) throw noFolder(cwd);
  const found = findProgram(program, { path: env["PATH"], cwd });
  if (found.kind === "found") return found.path;
  if (found.kind === "missing") {
    throw agentError("HARNESS_NOT_FOUND", `${AGENT_NAMES[harness]} CLI not found: ${program}`, program);
  }
  throw agentError(
    "HARNESS_NOT_EXECUTABLE",
    `${AGENT_NAMES[harness]} CLI cannot be executed: ${found.path}`,
    found.path,
  );
}

/** Why the system did not start a program that is there. */
export function startFailure(error: unknown, program: string, { harness, cwd }: AgentPlace): ClawError {
  const { code: errno = "unknown" } = error as NodeJS.ErrnoException;
  if (!isFolder(cwd)) return noFolder(cwd, error);
  // A file that was executable a moment ago, and is not found: what is missing is its interpreter.
  const why = errno === "ENOENT" ? "its interpreter is missing" : errno;
  return new ClawError("HARNESS_NOT_EXECUTABLE", `${AGENT_NAMES[harness]} CLI cannot be executed: ${program}: ${why}`, {
    operation: "start_agent",
    target: program,
    cause: error,
    details: { errno },
    ...(errno === "EAGAIN" || errno === "ENOMEM" ? { retryable: true } : {}),
  });
}

/** Bytes kept from the end of an agent's stderr. */
const RUN_STDERR_BYTES = 64 * 1024;

export interface AgentRunOptions {
  readonly harness: Harness;
  readonly request: Omit<RunRequest, "dialogue" | "lastMessagePath" | "pieces">;
  readonly reading: Pick<RunReaderOptions, "subject" | "hangHeuristic" | "backgroundTasks" | "includesEvents">;
  readonly redactor: Redactor;
  readonly silence: SilenceLimits;
  /** Parent folder of the run's private folder. */
  readonly temporaryFolder: string;
  /**
   * Answers the agent's questions. Null runs the agent in one direction: the agent asks no questions and denies by
   * itself.
   */
  readonly decide: Decide | null;
}

/** An agent whose process has started and whose output is still unread. */
export interface StartedAgent {
  readonly options: AgentRunOptions;
  readonly request: RunRequest;
  readonly spec: SpawnSpec;
  readonly child: OpenProcess;
  readonly reader: RunReader;
  readonly folder: RunFolder;
  readonly startedAt: number;
  /** The last part of the agent's stderr so far, with secrets masked. */
  readonly stderr: () => string;
  /** Called for every chunk on stderr, as a sign of life. */
  onStderr: () => void;
}

/** A failure to start still has a result: that of an agent that never spoke. */
function withResult(error: ClawError, reader: RunReader): ClawError {
  const result = reader.finish({
    exitCode: null,
    signal: null,
    stderr: "",
    ended: "not-started",
    durationMs: 0,
    startError: error.message,
  });
  return new ClawError(error.code, error.message, { ...error.options, partial: { result } });
}

async function openAgent(
  options: AgentRunOptions,
  spec: SpawnSpec,
  onStderr: (chunk: Uint8Array) => void,
): Promise<OpenProcess> {
  const [program, ...rest] = spec.argv;
  const { cwd, env } = options.request;
  const place = { harness: options.harness.id, program, cwd, env };
  const path = locateAgent(place);
  try {
    return await openProcess({
      argv: [path, ...rest],
      cwd,
      env,
      input: spec.stdin !== null,
      aheadBytes: LIMITS.runAheadBytes,
      onStderr,
      ending: {
        commandsMs: options.harness.endsCommandsFirst === true ? LIMITS.runCommandsMs : undefined,
        politeMs: LIMITS.runPoliteMs,
        firmMs: LIMITS.runFirmMs,
      },
    });
  } catch (error) {
    throw startFailure(error, path, place);
  }
}

/** Starts an agent. Rejects with a ClawError that carries a result when it does not start. */
export async function startAgent(options: AgentRunOptions): Promise<StartedAgent> {
  const { harness, redactor } = options;
  const startedAt = performance.now();
  const folder = openRunFolder(options.temporaryFolder);
  const request = {
    ...options.request,
    dialogue: options.decide !== null,
    lastMessagePath: folder.lastMessagePath,
    pieces: true,
  };
  const spec = harness.command(request);
  const { metadata, diagnostics } = spec;
  const reader = createRunReader(harness, {
    ...options.reading,
    metadata,
    diagnostics,
    redactor,
    spool: folder.spool,
    dropsPieces: true,
  });
  const tail = createByteTail(RUN_STDERR_BYTES);
  try {
    const child = await openAgent(options, spec, (chunk) => {
      tail.push(chunk);
      started.onStderr();
    });
    const stderr = (): string => redactor.redactText(tail.text());
    const started: StartedAgent = {
      options,
      request,
      spec,
      child,
      reader,
      folder,
      startedAt,
      stderr,
      onStderr: () => undefined,
    };
    return started;
  } catch (error) {
    folder.close();
    throw error instanceof ClawError ? withResult(error, reader) : error;
  }
}
