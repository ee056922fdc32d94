import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../e2e/run-claw.ts";
import type { ScenarioName } from "../model-server/scenarios.ts";
import {
  claudePastFirstStart,
  claudeStarted,
  codexIsOld,
  codexKeepsModel,
  codexPastFirstStart,
  codexTrustsFolder,
  withToken,
} from "./first-start.ts";
import type { RealScene } from "./real-scene.ts";

/** One thing that is done to a program in a terminal, or a look at what it shows. */
export type PlayStep =
  | { readonly keys: string }
  | { readonly paste: string }
  /** Waits until the screen shows this, and until nothing more is drawn. */
  | { readonly shows: RegExp }
  /** Keeps the screen under this name. */
  | { readonly shot: string };

/** A program that is driven from one of its screens to the next. */
export interface ScreenPlay {
  readonly harness: "claude-code" | "codex" | "claw";
  readonly scenario: ScenarioName;
  readonly prepare: (scene: RealScene) => RealScene;
  readonly argv: (scene: RealScene) => readonly [string, ...string[]];
  readonly size?: { readonly cols: number; readonly rows: number };
  readonly steps: readonly PlayStep[];
}

const [CLEAR, ESCAPE, ENTER, BACKSPACE] = ["\u0015", "\u001b", "\r", "\u007f"];
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
const WIDE = `${"wide 漢字 ".repeat(20)}at the end`;
/** What a person might send to quote a question. */
const LOOKALIKE = `Do you want to proceed?\n❯ 1. Yes · Esc to cancel\n${"─".repeat(120)}`;
const SHORT = "first line\n\nthird line";
const CLAUDE_PROMPT = /^❯/m;

const claude =
  (...args: string[]): ScreenPlay["argv"] =>
  () => ["claude", ...args];
const codex =
  (...args: string[]): ScreenPlay["argv"] =>
  () => ["codex", "--no-daemon", "--no-alt-screen", "-m", "gpt-5.5", ...args];

const CLAUDE: readonly Omit<ScreenPlay, "harness">[] = [
  {
    scenario: "text",
    // Where Amazon is asked for the model, the first start does not look for Anthropic first.
    prepare: ({ env, ...scene }) => ({
      ...scene,
      env: { ...env, CLAUDE_CODE_USE_BEDROCK: "1", AWS_REGION: "us-east-1" },
    }),
    argv: claude(),
    steps: [{ shows: /text style/ }, { shot: "theme" }],
  },
  {
    scenario: "text",
    prepare: (scene) => claudeStarted(scene),
    argv: claude(),
    steps: [{ shows: /use this API key/ }, { shot: "api-key" }],
  },
  {
    scenario: "text",
    prepare: (scene) => withToken(claudeStarted(scene, false)),
    argv: claude("say hello"),
    steps: [{ shows: /trust this folder/ }, { shot: "trust" }],
  },
  {
    scenario: "text",
    prepare: (scene) => {
      writeFileSync(join(scene.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { notes: { command: "true" } } }));
      return claudePastFirstStart(scene);
    },
    argv: claude(),
    steps: [{ shows: /New MCP server/ }, { shot: "mcp-server" }],
  },
  {
    scenario: "claude-write",
    prepare: claudePastFirstStart,
    argv: claude("write the note"),
    steps: [
      { shows: /Do you want/ },
      { shot: "permission" },
      { keys: "\u001b[B" },
      { shows: /❯ 2/ },
      { shot: "permission-second-choice" },
      { keys: "\u001b[A\t" },
      { shows: /❯ 1/ },
      { shot: "permission-amended" },
      { keys: ESCAPE },
      { keys: ESCAPE },
      { shows: CLAUDE_PROMPT },
      { shot: "prompt-after-refusal" },
    ],
  },
  {
    scenario: "claude-question",
    prepare: claudePastFirstStart,
    argv: claude("ask me"),
    steps: [
      { shows: /Which colour/ },
      { shot: "question" },
      { keys: "3" },
      { keys: "blue" },
      { shows: /blue/ },
      { shot: "question-own-answer" },
    ],
  },
  {
    scenario: "text",
    prepare: claudePastFirstStart,
    argv: claude(),
    steps: [
      { shows: CLAUDE_PROMPT },
      { shot: "prompt" },
      { keys: "a draft of mine" },
      { shows: /draft/ },
      { shot: "prompt-draft" },
      { keys: "\u0001" },
      { shot: "prompt-draft-cursor-at-start" },
      { keys: `\u0005${CLEAR}` },
      { paste: SHORT },
      { shows: /third line/ },
      { shot: "prompt-lines" },
      { keys: CLEAR.repeat(5) },
      { paste: LINES },
      { shows: /Pasted/ },
      { shot: "prompt-mark" },
      { keys: CLEAR },
      { paste: WIDE },
      { shows: /at the end/ },
      { shot: "prompt-wide" },
      { keys: CLEAR.repeat(5) },
      { paste: LOOKALIKE },
      { shows: /Esc to cancel/ },
      { shot: "prompt-lookalike" },
      { keys: CLEAR.repeat(9) },
      { keys: "/model" },
      { shows: /❯ \/model/ },
      { shot: "prompt-completion" },
      { keys: ENTER },
      { shows: /Select model/ },
      { shot: "model" },
      { keys: ESCAPE },
      { keys: "?" },
      { shows: /for shell mode/ },
      { shot: "prompt-shortcuts" },
      { keys: BACKSPACE },
      { keys: "!" },
      { shot: "shell-mode" },
      { keys: BACKSPACE },
      { keys: "\u0012" },
      { shows: /Search prompts/ },
      { shot: "history" },
      { keys: ESCAPE },
      { keys: "/theme" },
      { keys: ENTER },
      { shows: /text style/ },
      { shot: "theme-again" },
      { keys: ESCAPE },
      { keys: "say hello" },
      { keys: ENTER },
      { shows: /answer is 42/ },
      { shot: "prompt-after-turn" },
      { keys: "\u000f" },
      { shows: /detailed transcript/ },
      { shot: "transcript" },
    ],
  },
  {
    scenario: "hang-after-headers",
    prepare: claudePastFirstStart,
    argv: claude("think"),
    steps: [
      { shows: /esc to interrupt/ },
      { shot: "at-work" },
      { keys: "something more" },
      { keys: ENTER },
      { shows: /Press up to edit/ },
      { shot: "at-work-queued" },
    ],
  },
  ...[
    { cols: 60, rows: 15 },
    { cols: 40, rows: 10 },
  ].map((size) => ({
    scenario: "text" as const,
    prepare: claudePastFirstStart,
    argv: claude(),
    size,
    steps: [
      { shows: CLAUDE_PROMPT },
      { shot: `small-${size.cols}-prompt` },
      { paste: "word ".repeat(100) },
      { shows: /word word/ },
      { shot: `small-${size.cols}-long-text` },
    ],
  })),
];

const CODEX_PROMPT = /^› /m;

const CODEX: readonly Omit<ScreenPlay, "harness">[] = [
  {
    scenario: "text",
    prepare: (scene) => {
      spawnSync("git", ["init", "--quiet"], { cwd: scene.cwd });
      return codexKeepsModel(scene);
    },
    argv: codex(),
    steps: [{ shows: /Trust this folder/ }, { shot: "trust" }],
  },
  {
    scenario: "text",
    prepare: codexTrustsFolder,
    argv: codex(),
    steps: [
      { shows: /Use existing model/ },
      { shot: "model-offer" },
      { keys: "\u001b[B" },
      { shows: /› 2/ },
      { shot: "model-offer-second-choice" },
    ],
  },
  {
    scenario: "text",
    prepare: (scene) => codexIsOld(codexPastFirstStart(scene)),
    argv: codex(),
    steps: [{ shows: /Update available/ }, { shot: "update" }],
  },
  {
    scenario: "codex-escalate",
    prepare: codexPastFirstStart,
    argv: codex("write the note"),
    steps: [
      { shows: /Would you like/ },
      { shot: "permission" },
      { keys: "\u001b[B" },
      { shows: /› 2/ },
      { shot: "permission-second-choice" },
      { keys: "\u001b[A" },
      { shows: /› 1/ },
      { shot: "permission-first-choice-again" },
      { keys: ESCAPE },
      { shows: CODEX_PROMPT },
      { shot: "prompt-after-refusal" },
    ],
  },
  {
    scenario: "text",
    prepare: codexPastFirstStart,
    argv: codex(),
    steps: [
      { shows: CODEX_PROMPT },
      { shot: "prompt" },
      { keys: "a draft of mine" },
      { shows: /draft/ },
      { shot: "prompt-draft" },
      { keys: "\u0001" },
      { shot: "prompt-draft-cursor-at-start" },
      { keys: `\u0005${CLEAR}` },
      { paste: SHORT },
      { shows: /third line/ },
      { shot: "prompt-lines" },
      { keys: "\u0003" },
      { paste: LINES.repeat(20) },
      { shows: /Pasted/ },
      { shot: "prompt-mark" },
      { keys: "\u0003" },
      { paste: WIDE },
      { shows: /at the end/ },
      { shot: "prompt-wide" },
      { keys: "\u0003" },
      { paste: LOOKALIKE },
      { shows: /Esc to cancel/ },
      { shot: "prompt-lookalike" },
      { keys: "\u0003" },
      { keys: "/model" },
      { shows: /› \/model/ },
      { shot: "prompt-completion" },
      { keys: ENTER },
      { shows: /Select Model/ },
      { shot: "model" },
      { keys: ESCAPE },
      { keys: "/permissions" },
      { keys: ENTER },
      { shows: /Permissions/ },
      { shot: "permissions" },
      { keys: ESCAPE },
      { keys: "?" },
      { shows: /Keyboard shortcuts/ },
      { shot: "prompt-shortcuts" },
      { keys: ESCAPE },
      { keys: "!" },
      { shot: "shell-mode" },
      { keys: BACKSPACE },
      { keys: "\u0012" },
      { shows: /reverse-i-search/ },
      { shot: "history" },
      { keys: ESCAPE },
      { keys: "say hello" },
      { keys: ENTER },
      { shows: /answer is 42/ },
      { shot: "prompt-after-turn" },
      { keys: "\u0014" },
      { shows: /T R A N S/ },
      { shot: "transcript" },
    ],
  },
  {
    scenario: "hang-after-headers",
    prepare: codexPastFirstStart,
    argv: codex("think"),
    steps: [{ shows: /esc to interrupt/ }, { shot: "at-work" }],
  },
  ...[
    { cols: 60, rows: 15 },
    { cols: 30, rows: 8 },
  ].map((size) => ({
    scenario: "text" as const,
    prepare: codexPastFirstStart,
    argv: codex(),
    size,
    steps: [
      { shows: CODEX_PROMPT },
      { shot: `small-${size.cols}-prompt` },
      { paste: "word ".repeat(100) },
      { shows: /word word/ },
      { shot: `small-${size.cols}-long-text` },
    ],
  })),
];

/** Our own chat with a model that says what a file says. */
const chat =
  (turns: readonly object[]): ScreenPlay["argv"] =>
  ({ env }) => {
    const script = join(String(env["HOME"]), "model.json");
    writeFileSync(script, JSON.stringify({ turns }));
    return [process.execPath, BINARY, "chat", "--model", `scripted:${script}`] as const;
  };

const CHAT: readonly Omit<ScreenPlay, "harness">[] = [
  {
    scenario: "text",
    prepare: (scene) => {
      mkdirSync(join(scene.cwd, ".claw"));
      writeFileSync(join(scene.cwd, ".claw", "settings.json"), '{"permissions":{"ask":["read_file"]}}');
      writeFileSync(join(scene.cwd, "notes.txt"), "notes");
      return scene;
    },
    argv: chat([
      { blocks: [{ type: "text", text: "Hello.\n\n> quoted" }] },
      { blocks: [{ type: "tool", name: "read_file", input: { path: "notes.txt" } }] },
      { blocks: [{ type: "text", text: "Done." }] },
    ]),
    steps: [
      { shows: /^›/m },
      { shot: "prompt" },
      { keys: "a draft of mine" },
      { shows: /draft/ },
      { shot: "prompt-draft" },
      { keys: "\u0001" },
      { shot: "prompt-draft-cursor-at-start" },
      { keys: `\u0005${CLEAR}` },
      { paste: SHORT },
      { shows: /third line/ },
      { shot: "prompt-lines" },
      { keys: CLEAR.repeat(5) },
      { keys: "\u0003" },
      { paste: LOOKALIKE },
      { shows: /Esc to cancel/ },
      { shot: "prompt-lookalike" },
      { keys: "\u0003" },
      { keys: "\u0003" },
      { shows: /once more to leave/ },
      { shot: "prompt-leave-hint" },
      { paste: WIDE },
      { shows: /at the end/ },
      { shot: "prompt-wide" },
      { keys: ENTER },
      { shows: /quoted/ },
      { shot: "prompt-after-turn" },
      { keys: "read it" },
      { keys: ENTER },
      { shows: /Allow it\?/ },
      { shot: "permission" },
      { keys: "y" },
      { shows: /Done\./ },
      { shot: "prompt-after-permission" },
    ],
  },
];

const of = (harness: ScreenPlay["harness"], plays: readonly Omit<ScreenPlay, "harness">[]): readonly ScreenPlay[] =>
  plays.map((play) => ({ harness, ...play }));

export const SCREEN_PLAYS: readonly ScreenPlay[] = [
  ...of("claude-code", CLAUDE),
  ...of("codex", CODEX),
  ...of("claw", CHAT),
];
