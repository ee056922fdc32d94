import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkerJob } from "claw-contract";
import { claudeSettings, LIMITS, permissionRow, WORKER_FILES } from "claw-contract";
import { nodeFileSystem, PRIVATE_FILE, writeFileAtomically } from "../../files/index.ts";
import { firstPrompt, programOf } from "../run/run-work.ts";

/** How long an agent waits for the worker to read a report. */
const HEARD_SECONDS = 10;
/** Added to the time allowed for an answer, so that the hook does not time out before the question does. */
const ANSWER_MORE_SECONDS = 60;

/** Events of Claude Code that show its activity; tool events need a matcher. */
const CLAUDE_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "Notification",
  "PreCompact",
  "Stop",
  "StopFailure",
  "SubagentStop",
] as const;

const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
]);

/** Quotes a word for a shell. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Settings of Claude Code that make the agent report its activity to a socket. */
function hookSettings({ hook }: Pick<WorkerJob, "hook">, socket: string) {
  const command = [...hook, socket].map(quote).join(" ");
  const answerSeconds = Math.ceil(LIMITS.approvalMs / 1000) + ANSWER_MORE_SECONDS;
  const entry = (event: string) => {
    const timeout = event === "PermissionRequest" ? answerSeconds : HEARD_SECONDS;
    const hooks = [{ type: "command", command, timeout }];
    return [TOOL_EVENTS.has(event) ? { matcher: "*", hooks } : { hooks }];
  };
  return { hooks: Object.fromEntries(CLAUDE_EVENTS.map((event) => [event, entry(event)])) };
}

interface Start {
  readonly job: WorkerJob;
  readonly folder: string;
  readonly prompt: string;
  /** Conversation to go on with. */
  readonly resume: string | null;
}

type Argv = readonly [string, ...string[]];

const flag = (name: string, value: string | null): readonly string[] => (value === null ? [] : [name, value]);

function claudeArgv({ job, folder, prompt, resume }: Start, program: Argv): Argv {
  const { mode } = permissionRow(job.permissionMode).claudeCode.interactive;
  const settings = join(folder, WORKER_FILES.hookSettings);
  const chosen = [...flag("--model", job.model), ...flag("--permission-mode", mode), ...flag("--resume", resume)];
  return [...program, "--settings", settings, ...chosen, prompt];
}

/** It starts helpers that would outlive it, unless told not to, and reports the ends of turns alone. */
function codexArgv({ job, folder, prompt, resume }: Start): Argv {
  const notify = JSON.stringify([...job.hook, join(folder, WORKER_FILES.hooks)]);
  const session = resume === null ? [] : ["resume", resume];
  const permissions = permissionRow(job.permissionMode).codex.interactive;
  const allowed = permissions === null ? [] : ["-s", permissions.sandbox, "-a", permissions.approval];
  const chosen = [...flag("-m", job.model), ...allowed];
  return ["codex", ...session, "--no-daemon", "--no-alt-screen", "-c", `notify=${notify}`, ...chosen, prompt];
}

/** Our own agent asks for its mission, where it reports to. */
function clawArgv({ job, resume }: Start): Argv {
  const mode = flag("--permission-mode", permissionRow(job.permissionMode).claw);
  return [...job.program, "chat", ...flag("--model", job.model), ...mode, ...flag("--resume", resume)];
}

const isLong = (text: string): boolean => Buffer.byteLength(text) > LIMITS.promptArgumentBytes;

/** The first prompt as an argument: a long one is in a file, and none is taken for a flag. */
export function openingOf(job: WorkerJob, folder: string): string {
  const text = firstPrompt(job).replaceAll("\0", "");
  const path = join(folder, WORKER_FILES.mission);
  if (isLong(text)) return `claw: your mission stands in the file ${path}. Read it and do it.`;
  return text.startsWith("-") ? ` ${text}` : text;
}

/** Leaves a first prompt that is too long for an argument in its file. */
function keepLongPrompt(job: WorkerJob, folder: string): void {
  const text = firstPrompt(job).replaceAll("\0", "");
  if (isLong(text)) writeFileSync(join(folder, WORKER_FILES.mission), text, { mode: PRIVATE_FILE });
}

/** Writes what the agent needs and says how it is started in a terminal. */
export function prepareAgent(job: WorkerJob, folder: string, resume: string | null): Argv {
  const { interactive } = permissionRow(job.permissionMode).claudeCode;
  const permissions = claudeSettings(interactive, job.cwd);
  const settings = `${JSON.stringify({ ...hookSettings(job, join(folder, WORKER_FILES.hooks)), ...permissions })}\n`;
  writeFileAtomically(nodeFileSystem, join(folder, WORKER_FILES.hookSettings), settings);
  keepLongPrompt(job, folder);
  const start = { job, folder, resume, prompt: openingOf(job, folder) };
  if (job.harness === "codex") return codexArgv(start);
  if (job.harness === "claw") return clawArgv(start);
  return claudeArgv(start, programOf(job) ?? ["claude"]);
}
