import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { HostedTerminalRequest } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { findProgram } from "../../process/index.ts";
import { isTerminalId } from "../storage/about-terminal.ts";
import { userShell } from "../shell/shell-integration.ts";

/** A request whose open choices are made. */
export interface CheckedRequest extends HostedTerminalRequest {
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** Either this or `shell` is set. */
  readonly program: readonly [string, ...string[]] | null;
  readonly shell: string | null;
}

const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;

const createError = (message: string, target: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", message, { operation: "create", target, hint: "Correct it, then call again." });

function columnsOr(value: number | undefined, preset: number): number {
  if (value === undefined || !Number.isSafeInteger(value) || value < 1) return preset;
  return Math.min(value, LIMITS.terminalSize);
}

function requireFolder(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  throw createError(`${path} is no folder`, path);
}

/** Where a program is. A child that cannot be started would look like one that ended at once. */
function requireProgram(name: string, cwd: string, path: string | undefined): string {
  const found = findProgram(name, { path, cwd });
  if (found.kind === "found") return found.path;
  throw createError(`${name} ${found.kind === "missing" ? "was not found" : "cannot be executed"}`, name);
}

const hasNul = (text: string): boolean => text.includes("\0");

/** Decides on everything that was left open. Throws TERMINAL_HOST_FAILED for what cannot be. */
export function checkRequest(request: HostedTerminalRequest): CheckedRequest {
  const { terminalId: id, argv, env, shellPath } = request;
  const words = [...(argv ?? []), shellPath ?? "", request.cwd ?? "", ...Object.entries(env).flat()];
  if (!isTerminalId(id)) throw createError("the id of a terminal is a number", id);
  if (words.some(hasNul)) throw createError("a NUL cannot be part of a command or its environment", id);
  const cwd = requireFolder(resolve(request.cwd ?? env["HOME"] ?? homedir()));
  const [name, ...args] = argv ?? [];
  const size = { cols: columnsOr(request.cols, DEFAULT_COLS), rows: columnsOr(request.rows, DEFAULT_ROWS) };
  if (name !== undefined) {
    return { ...request, ...size, cwd, program: [requireProgram(name, cwd, env["PATH"]), ...args], shell: null };
  }
  const shell = requireProgram(shellPath ?? userShell(env), cwd, env["PATH"]);
  return { ...request, ...size, cwd, program: null, shell };
}
