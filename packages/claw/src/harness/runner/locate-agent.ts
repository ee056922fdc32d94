import { statSync } from "node:fs";
import type { HarnessId } from "claw-contract";
import { ClawError } from "claw-contract";
import { findProgram } from "../../process/index.ts";

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
