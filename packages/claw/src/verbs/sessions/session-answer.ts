import { relative } from "node:path";
import type { VerbOutput } from "claw-contract";
import { isoTime } from "claw-contract";
import type { SessionEntry } from "../../sessions/index.ts";
import type { Ports } from "../runtime/handle.ts";

type SessionSummary = VerbOutput<"list-sessions">["sessions"][number];

/** A top-level path: relative to the working folder, and never empty. */
export const relativePath = (ports: Ports, path: string): string => relative(ports.cwd, path) || ".";

/** The summary of a session, the same for all verbs. */
export function summariseSession(entry: SessionEntry, ports: Ports): SessionSummary {
  const { createdMs, totals } = ports.sessions.glimpse(entry);
  return {
    session_id: entry.id,
    id: entry.id,
    path: entry.path,
    created_at: isoTime(createdMs),
    last_modified: isoTime(entry.modifiedMs),
    updated_at_ms: entry.modifiedMs,
    prompt_count: totals?.prompts ?? null,
    message_count: totals?.messages ?? null,
    stopped: !ports.sessions.isHeld(entry.id),
  };
}
