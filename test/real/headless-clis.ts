import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Fault } from "../model-server/model-scenario.ts";
import { say, use } from "../model-server/model-scenario.ts";
import type { RealScene } from "./real-scene.ts";

/** What differs between the CLIs when they are run as headless workers. */
export interface HeadlessCli {
  readonly harness: "claude-code" | "codex";
  readonly flags: readonly string[];
  /** Uses a tool that needs no permission. */
  readonly runs: Answer;
  /** Uses one that does, and would write `out.txt`. */
  readonly asks: Answer;
  /** What people read of that question. */
  readonly asked: RegExp;
  /** A refusal of the model until then, in seconds since 1970. */
  readonly limited: (resetsAt: number) => Fault;
  /** The environment of somebody whose account has limits. */
  readonly subscribed: (scene: RealScene) => RealScene;
  /** Removes what the CLI knows of its sessions. */
  readonly forget: (scene: RealScene) => void;
  /** Whether the CLI has written down what a tool gave back: it asks its model first. */
  readonly hasKeptOutput: (scene: RealScene) => boolean;
}

/** Whether a file of sessions below a folder holds this text. */
function holds(folder: string, text: string): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.some((name) => readFileSync(join(folder, name), "utf8").includes(text));
}

const LIMIT = { kind: "status", status: 429, message: "This request would exceed your limit." } as const;

const claude: HeadlessCli = {
  harness: "claude-code",
  flags: [],
  runs: use("Bash", { command: "echo tool-ran", description: "Say so" }, "Running a command."),
  asks: use("Write", { file_path: "__RUN__/out.txt", content: "written by the model\n" }),
  asked: /reason +Write: \/.*\/out\.txt/,
  limited: (resetsAt) => ({
    ...LIMIT,
    type: "rate_limit_error",
    headers: {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(resetsAt),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
      "retry-after": "3600",
    },
  }),
  // Limits are told only to those who logged in.
  subscribed: ({ env: { ANTHROPIC_API_KEY: _key, ...env }, ...scene }) => ({
    ...scene,
    env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake-0000" },
  }),
  forget: ({ env }) => rmSync(join(String(env["CLAUDE_CONFIG_DIR"]), "projects"), { recursive: true, force: true }),
  hasKeptOutput: ({ env }) => holds(join(String(env["CLAUDE_CONFIG_DIR"]), "projects"), '"tool_result"'),
};

const codex: HeadlessCli = {
  harness: "codex",
  flags: ["--model", "gpt-5.5"],
  runs: use("exec_command", { cmd: "echo tool-ran" }, "Running a command."),
  asks: use("exec_command", {
    cmd: "echo escalated > out.txt",
    sandbox_permissions: "require_escalated",
    justification: "May I write the note?",
  }),
  asked: /reason +May I write the note\?/,
  limited: (resetsAt) => ({
    ...LIMIT,
    type: "usage_limit_reached",
    headers: {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(resetsAt),
    },
  }),
  subscribed: (scene) => scene,
  forget: ({ env }) => {
    for (const name of ["sessions", "archived_sessions"]) {
      rmSync(join(String(env["CODEX_HOME"]), name), { recursive: true, force: true });
    }
  },
  hasKeptOutput: ({ env }) => holds(join(String(env["CODEX_HOME"]), "sessions"), '"function_call_output"'),
};

export const HEADLESS_CLIS: readonly HeadlessCli[] = [claude, codex];

export const DONE = say("All done.");
