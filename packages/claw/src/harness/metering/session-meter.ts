import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import type { Environment, HarnessId, JsonObject } from "claw-contract";
import { objectOf, stringOrNull } from "claw-contract";
import { findRollout, laterRollouts, parentOfRollout, threadOfRollout } from "../harnesses/codex/rollout-file.ts";
import { createClaudeStreamCalls, readClaudeLine } from "./claude-calls.ts";
import { createRolloutCalls, readTokenUsage } from "./codex-calls.ts";
import type { LineTail } from "./line-tail.ts";
import { createLineTail } from "./line-tail.ts";
import type { CallFact } from "./model-call.ts";
import { anthropicTokens, NO_CALLS, STREAM_THREAD } from "./model-call.ts";

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A missing folder holds no files.
    return [];
  }
}

/** The transcript of a session of Claude Code: `projects/FOLDER/ID.jsonl`; undefined when there is none. */
function findTranscript(sessionId: string, env: Environment): string | undefined {
  const projects = join(env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude"), "projects");
  return namesIn(projects)
    .map((name) => join(projects, name, `${sessionId}.jsonl`))
    .find((path) => existsSync(path));
}

/** Transcripts of the sub-agents of a session, which stand in a folder beside its own. */
function subTranscripts(transcript: string, sessionId: string): readonly string[] {
  const folder = join(dirname(transcript), sessionId, "subagents");
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

/** Reads the model calls of one session from the agent's files, sub-agents included. */
export interface SessionMeter {
  /** The facts written since the last call. */
  read(): readonly CallFact[];
}

export interface MeteredSession {
  readonly id: string;
  /** The agent's environment, which says where it keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Source {
  readonly tail: LineTail;
  readonly facts: (line: JsonObject) => readonly CallFact[];
}

/** Files that belong to a session, each opened once. */
class Sources {
  readonly #open = new Map<string, Source>();

  open(path: string, facts: Source["facts"]): void {
    if (!this.#open.has(path)) this.#open.set(path, { tail: createLineTail(path), facts });
  }

  read(): readonly CallFact[] {
    return [...this.#open.values()].flatMap(({ tail, facts }) => tail.read().flatMap((line) => facts(line)));
  }
}

function createClaudeMeter({ id, env }: MeteredSession): SessionMeter {
  const sources = new Sources();
  let transcript: string | undefined;
  return {
    read: () => {
      transcript ??= findTranscript(id, env);
      if (transcript === undefined) return [];
      sources.open(transcript, readClaudeLine);
      for (const path of subTranscripts(transcript, id)) sources.open(path, readClaudeLine);
      return sources.read();
    },
  };
}

function createCodexMeter({ id, env }: MeteredSession): SessionMeter {
  const sources = new Sources();
  /** Inspected rollouts by path, each with the thread that started the rollout's thread. */
  const parents = new Map<string, string | null>();
  const threads = new Set([id]);
  let rollout: string | undefined;
  const adopt = (path: string): void => {
    const thread = threadOfRollout(path);
    if (thread === undefined) return;
    const parent = parents.has(path) ? parents.get(path) : parentOfRollout(path);
    if (parent === undefined) return;
    parents.set(path, parent);
    if (parent === null || !threads.has(parent)) return;
    threads.add(thread);
    sources.open(path, createRolloutCalls(thread));
  };
  return {
    read: () => {
      rollout ??= findRollout(id, env);
      if (rollout === undefined) return [];
      sources.open(rollout, createRolloutCalls(id));
      // The oldest first, because a sub-agent starts after the thread that wants it.
      laterRollouts(rollout).toReversed().forEach(adopt);
      return sources.read();
    },
  };
}

const NO_FILES: SessionMeter = { read: () => [] };

/** Agents without readable files give no facts here. */
export function createSessionMeter(harness: HarnessId, session: MeteredSession): SessionMeter {
  if (harness === "claude-code") return createClaudeMeter(session);
  return harness === "codex" ? createCodexMeter(session) : NO_FILES;
}

/** What an object of an agent's stream tells of calls. */
export type StreamCalls = (native: JsonObject) => readonly CallFact[];

/**
 * Reads Codex's counts. Codex counts a call when the tools of the call are done; Codex's file tells the call earlier.
 */
function readCodexEvent(native: JsonObject): readonly CallFact[] {
  const params = objectOf(native["params"]);
  if (native["method"] === "thread/tokenUsage/updated") {
    const call = readTokenUsage(stringOrNull(params["threadId"]) ?? "", objectOf(params["tokenUsage"]));
    return call === null ? NO_CALLS : [{ kind: "call", call }];
  }
  const thread = objectOf(objectOf(native["result"] ?? params)["thread"]);
  const [id, model] = [stringOrNull(thread["id"]), stringOrNull(thread["model"])];
  return id === null || model === null ? NO_CALLS : [{ kind: "model", thread: id, model }];
}

/**
 * Reads an agent that keeps no session files. The agent sends a message when the message is whole. Two events may be
 * about the same message. Message ids start again with each process.
 */
function readWholeMessage(native: JsonObject, processId: string): readonly CallFact[] {
  if (native["type"] === "system" && native["subtype"] === "init") {
    const model = stringOrNull(native["model"]);
    return model === null ? NO_CALLS : [{ kind: "model", thread: "", model }];
  }
  const message = objectOf(native["message"]);
  if (native["type"] !== "assistant" || stringOrNull(native["error"]) !== null) return NO_CALLS;
  // A message without an id comes as a single event.
  const id = `${processId}:${stringOrNull(message["id"]) ?? randomUUID()}`;
  const thread = stringOrNull(native["parent_tool_use_id"]) ?? "";
  const tokens = anthropicTokens(objectOf(message["usage"]));
  return [{ kind: "call", call: { id, thread, model: stringOrNull(message["model"]), tokens, isFinal: true } }];
}

/** Whether the fact is a question of the main conversation, heard in a stream. */
export const isHeardQuestion = (fact: CallFact): boolean => fact.kind === "asked" && fact.thread === STREAM_THREAD;

/** Creates a reader of calls for the stream of one agent process. */
export function createStreamCalls(harness: HarnessId): StreamCalls {
  if (harness === "claude-code") return createClaudeStreamCalls();
  if (harness === "codex") return readCodexEvent;
  const processId = randomUUID();
  return (native) => readWholeMessage(native, processId);
}
