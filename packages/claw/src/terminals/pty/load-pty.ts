import { createRequire } from "node:module";
import type * as NodePty from "@lydell/node-pty";
import { ClawError } from "claw-contract";

export type PtyLibrary = typeof NodePty;

const PTY_PACKAGE = "@lydell/node-pty";

/** Relative to the bundle, or to this file when it runs unbundled. */
const requireHere = createRequire(typeof __filename === "string" ? __filename : import.meta.url);

/** Loads what makes ptys. Throws TERMINAL_UNAVAILABLE where it is not installed or does not fit the platform. */
export function loadPty(from: Pick<NodeJS.Require, "resolve"> & ((name: string) => unknown) = requireHere): {
  readonly library: PtyLibrary;
  readonly path: string;
} {
  try {
    return { library: from(PTY_PACKAGE) as PtyLibrary, path: from.resolve(PTY_PACKAGE) };
  } catch (cause) {
    const [message = ""] = String(cause).split("\n");
    throw new ClawError("TERMINAL_UNAVAILABLE", `terminals do not work on this machine: ${message.slice(0, 300)}`, {
      operation: "load",
      target: PTY_PACKAGE,
      cause,
    });
  }
}
