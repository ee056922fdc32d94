import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "claw-contract";

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A missing folder holds no files.
    return [];
  }
}

/** The transcript of a session of Claude Code: `projects/FOLDER/ID.jsonl`; undefined when there is none. */
export function findTranscript(sessionId: string, env: Environment): string | undefined {
  const projects = join(env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude"), "projects");
  return namesIn(projects)
    .map((name) => join(projects, name, `${sessionId}.jsonl`))
    .find((path) => existsSync(path));
}

/** Transcripts of the sub-agents of a session, which stand in a folder beside its own. */
export function subTranscripts(transcript: string, sessionId: string): readonly string[] {
  const folder = join(dirname(transcript), sessionId, "subagents");
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}
