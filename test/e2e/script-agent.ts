import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "./workspace.ts";

/** Lines as Claude Code writes them. */
export const CLAUDE = {
  init: '{"type":"system","subtype":"init","session_id":"s1","apiKeySource":"none","model":"m1"}',
  hello: '{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]},"parent_tool_use_id":null}',
  result:
    '{"type":"result","subtype":"success","is_error":false,"result":"hello","num_turns":1,"stop_reason":"end_turn","total_cost_usd":0.0123,"usage":{"input_tokens":3,"output_tokens":5}}',
} as const;

/** Lines as Codex writes them. */
export const CODEX = {
  started: '{"type":"thread.started","thread_id":"t1"}',
  hello: '{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"hello"}}',
  completed: '{"type":"turn.completed","usage":{"input_tokens":3,"cached_input_tokens":0,"output_tokens":5}}',
} as const;

export const print = (...lines: readonly string[]): string =>
  lines.map((line) => `printf '%s\\n' '${line}'`).join("\n");

/** A run that goes well. */
export const FINE = print(CLAUDE.init, CLAUDE.hello, CLAUDE.result);

const failed = (more: string): string => `{"type":"result","subtype":"success","is_error":true,${more},"usage":{}}`;

/** A run that the model refused. */
export const refusedBy = (status: number): string =>
  `${print(CLAUDE.init, failed(`"result":"refused with ${status}","terminal_reason":"api_error","api_error_status":${status}`))}\nexit 1`;

export const MAX_TURNS = `${print(CLAUDE.init, CLAUDE.hello, '{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (3)"],"terminal_reason":"max_turns","usage":{}}')}\nexit 1`;

/** Notes the agent's pid beside its folder, whole or not at all, and stays. */
export const STAYS = `${print(CLAUDE.init, CLAUDE.hello)}\necho $$ > "$HOME/pid.tmp" && mv "$HOME/pid.tmp" "$HOME/pid"\nexec sleep 600`;
export const STAYS_STUBBORNLY = `trap '' TERM INT HUP\n${STAYS.replace("exec sleep 600", "while :; do sleep 0.05; done")}`;

/** Puts a script in the place of an agent's program; gives the environment in which it is found. */
export function putAgent({ home }: Workspace, script: string, name: "claude" | "codex" = "claude"): NodeJS.ProcessEnv {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${bin}:/usr/bin:/bin` };
}

/** Puts a script in the working folder, for calls that look for the agent there: see `FROM_HERE`. */
export function putAgentHere({ cwd }: Workspace, script: string, mode = 0o755): void {
  writeFileSync(join(cwd, "claude"), `#!/bin/sh\n${script}\n`, { mode });
}

/** Flags by which an agent in the working folder is run. */
export const FROM_HERE = ["--harness", "claude-code", "--env", "PATH=.:/usr/bin:/bin"] as const;

/** The group of an agent that stays. */
export const agentPid = ({ home }: Workspace): number => Number(readFileSync(join(home, "pid"), "utf8"));
