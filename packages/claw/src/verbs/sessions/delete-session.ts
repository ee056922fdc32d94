import { join } from "node:path";
import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { relativePath } from "./session-answer.ts";

/** Deletes, and says in a not-found answer that nothing was deleted. */
async function deleteSession(id: string, dryRun: boolean, ports: Ports): Promise<void> {
  try {
    if (dryRun) ports.sessions.find(id);
    else await ports.sessions.remove(id, ports.signal);
  } catch (error) {
    if (!(error instanceof ClawError) || error.code !== "SESSION_NOT_FOUND") throw error;
    throw new ClawError(error.code, error.message, {
      ...error.options,
      partial: { session_id: id, deleted: false, status: "not_found" },
    });
  }
}

export const handler = handle("delete-session", {
  run: async ({ sessionId, dryRun }, ports) => {
    // Naming `latest` with nothing stored fails here; a plain id is looked up below.
    const id = ports.sessions.idOf(sessionId) ?? ports.sessions.find(sessionId).id;
    await deleteSession(id, dryRun, ports);
    const path = join(ports.sessions.directory, `${id}.jsonl`);
    return {
      session_id: id,
      deleted: !dryRun,
      status: dryRun ? "would_delete" : "deleted",
      directory: relativePath(ports, ports.sessions.directory),
      path: relativePath(ports, path),
      effect: dryRun ? "would_delete" : "deleted",
      ...(dryRun ? { would_affect: [path] } : {}),
    };
  },
  show: ({ session_id, deleted, effect }, paint) => {
    if (effect === "noop") return `${paint.bold(session_id)} was deleted before`;
    return deleted ? `Deleted ${paint.bold(session_id)}` : `Would delete ${paint.bold(session_id)}`;
  },
});
