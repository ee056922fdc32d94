import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BINARY = fileURLToPath(new URL("../packages/claw/bin/claw.cjs", import.meta.url));
/** Keeps compiled code from one measurement to the next, as a user's cache folder does. */
export const CACHE_HOME = fileURLToPath(new URL("../node_modules/.cache/claw-bench", import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const execute = promisify(execFile);

export interface ChildOptions {
  /** Where it runs; also its home, so that nobody's own settings are read. */
  readonly cwd: string;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs Node and resolves with what it printed when it has ended; rejects when it fails. Its environment is made anew:
 * a variable such as NODE_EXTRA_CA_CERTS costs every start more than what is measured here.
 */
export async function runNode(args: readonly string[], options: ChildOptions): Promise<string> {
  const { cwd, nodeOptions = [], env = {} } = options;
  const { stdout } = await execute(process.execPath, [...nodeOptions, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: CACHE_HOME, LANG: "C.UTF-8", ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout;
}

/** Runs the built program, or another build of it, and resolves with what it printed; rejects when it fails. */
export function runClaw(args: readonly string[], options: ChildOptions, binary = BINARY): Promise<string> {
  return runNode([binary, ...args], options);
}
