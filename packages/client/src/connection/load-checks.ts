import { ClawError } from "claw-contract/client";
import type * as Checks from "claw-contract/checks";

/**
 * Loads the checks of what a client sends and gets. A page whose bundler splits it into files loads theirs with the first
 * event or request. Rejects with BUS_UNREACHABLE when the file cannot be loaded; a later call tries again.
 */
export async function loadChecks(): Promise<typeof Checks> {
  try {
    return await import("claw-contract/checks");
  } catch (cause) {
    const hint = "The file is a part of the page: check that the page's server is reachable, then call again.";
    const message = "the page cannot load the file with the checks of events and replies";
    throw new ClawError("BUS_UNREACHABLE", message, { operation: "load", target: "claw-contract/checks", hint, cause });
  }
}
