import { ClawError, isoTime } from "claw-contract";
import type { SessionEntry } from "../../sessions/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { relativePath, summariseSession } from "./session-answer.ts";
import { plural, table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";

/** Where the page begins: behind the session its cursor names. */
function startOf(entries: readonly SessionEntry[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const index = entries.findIndex((entry) => entry.id === cursor);
  if (index !== -1) return index + 1;
  throw new ClawError("INVALID_CURSOR", `no session '${cursor.slice(0, 200)}' to continue after`, {
    operation: "list_sessions",
    target: cursor.slice(0, 200),
  });
}

/** One row; a session that cannot be read is listed without counts and reported. */
function rowOf(entry: SessionEntry, ports: Ports): ReturnType<typeof summariseSession> {
  try {
    const row = summariseSession(entry, ports);
    if (row.message_count === null) ports.notes.warn(`SESSION_NOT_COUNTED: '${entry.id}' is too large to count here`);
    return row;
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    ports.notes.warn(`${error.code}: ${error.message}`);
    const time = isoTime(entry.modifiedMs);
    return {
      session_id: entry.id,
      id: entry.id,
      path: entry.path,
      created_at: time,
      last_modified: time,
      updated_at_ms: entry.modifiedMs,
      prompt_count: null,
      message_count: null,
      stopped: !ports.sessions.isHeld(entry.id),
    };
  }
}

export const handler = handle("list-sessions", {
  run: ({ limit, cursor }, ports) => {
    const { entries, ignored } = ports.sessions.list();
    for (const name of ignored) ports.notes.warn(`NOT_A_SESSION: '${name}' is no session file`);
    const start = startOf(entries, cursor);
    const page = entries.slice(start, start + limit);
    const more = start + page.length < entries.length;
    ports.notes.page({ total: entries.length, returned: page.length, cursor: more ? page.at(-1)?.id : undefined });
    return {
      directory: relativePath(ports, ports.sessions.directory),
      sessions_count: page.length,
      total_count: entries.length,
      sessions: page.map((entry) => rowOf(entry, ports)),
    };
  },
  show: ({ sessions, total_count }, paint) => {
    if (total_count === 0) return `No sessions here yet. Store one: ${paint.cyan('claw flush-transcript "hello"')}`;
    const now = Date.now();
    const rows = sessions.map((session) => [
      session.session_id,
      String(session.message_count ?? "?"),
      ago(session.last_modified, now),
      session.stopped ? "" : "in use",
    ]);
    const more =
      total_count > sessions.length ? `\n${paint.dim(`${sessions.length} of ${plural(total_count, "session")}`)}` : "";
    return table(["SESSION", "MESSAGES", "CHANGED", ""], rows, paint) + more;
  },
});
