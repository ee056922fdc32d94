import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { stateFolder } from "../../packages/claw/src/files/index.ts";
import { clawsFile, startDaemon } from "./daemon-process.ts";
import { withFixer, withQuestion, withReport } from "./fixer-scene.ts";
import { putLog } from "./migration-scene.ts";
import { clawJson } from "./run-claw.ts";
import { FROM_HERE } from "./script-agent.ts";
import { withWork } from "./work-scene.ts";
import type { Workspace } from "./workspace.ts";

interface DryRun {
  readonly argv: readonly string[];
  readonly effect: string;
  /** Paths it would change, relative to the working folder. */
  readonly affects: readonly string[] | ((workspace: Workspace) => readonly string[]);
  /** What else it would change. */
  readonly topics?: readonly string[];
  /** Whether a daemon has to run. */
  readonly daemon?: true;
  /** Variables the call is made with. */
  readonly env?: (workspace: Workspace) => NodeJS.ProcessEnv;
  /** Makes a daemon that is asked, whose log says who came. */
  readonly asks?: (workspace: Workspace) => Promise<unknown>;
}

const demo = ".claw/sessions/demo.jsonl";

export const MADE = JSON.stringify({ path: "made.txt", content: "made" });
const UNCONFINED = ["--permission-mode", "danger-full-access"];

/** A cache of the workspace, beside its folders: what the tests share is not removed. */
const ownCache = ({ home }: Workspace): NodeJS.ProcessEnv => ({ XDG_CACHE_HOME: join(dirname(home), "cache") });

/** The name of a service holds a digest of its folder. */
const serviceFile = ({ cwd, home }: Workspace): string[] => {
  const id = basename(stateFolder(cwd, { HOME: home })).slice(0, 8);
  return [`../home/.config/systemd/user/claw-project-${id}.service`];
};

/** A daemon whose notices a program takes. */
async function withNotify(workspace: Workspace): Promise<void> {
  const folder = join(workspace.home, ".claw");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ notify: { command: ["true"] } }));
  await startDaemon(workspace);
}

async function backUp(workspace: Workspace): Promise<void> {
  await clawJson(workspace, ["flush-transcript", "kept", "--session-id", "kept"]);
  await clawJson(workspace, ["backup", "../kept.tar.gz"]);
}

const SCRIPTED = ["--model", "scripted"];

/** What giving a worker a command would do. */
const commandTo = (action: string): Omit<DryRun, "argv"> => ({
  effect: "would_create",
  affects: [],
  topics: [`cmd.p_000001.${action}`],
  asks: withFixer,
});

/** A worker of our own making that has reported. */
async function withOwnReport(workspace: Workspace): Promise<void> {
  await startDaemon(workspace);
  const order = ["spawn", "plan it", "--name", "plan", "--harness", "fake", "--wait", "complete"];
  expect(await clawJson(workspace, order)).toMatchObject({ exit_code: 0 });
}

/** The same content always has the same id. */
const ASKED = "ap_0df5a59140ae";

/** Calls over the wire of the bus: tried together, on one daemon, with what they would do. */
export const ON_BUS: readonly (readonly [effect: string, argv: readonly string[]])[] = [
  ["would_create", ["tokens", "create", "--role", "worker", "--peer", "ci"]],
  ["would_delete", ["tokens", "revoke", "ci"]],
  ["would_create", ["dashboard", "--no-open"]],
  ["would_create", ["terminal", "create", "--name", "build"]],
  ["would_update", ["terminal", "exec", "build", "echo once >> once.txt"]],
  ["would_delete", ["terminal", "close", "build"]],
  ["would_create", ["tasks", "assign", "audit", "Audit src"]],
  ["would_update", ["tasks", "update", "t_001"]],
  ["would_update", ["tasks", "cancel", "t_001"]],
  ["would_update", ["tasks", "complete", "t_001"]],
  ["would_create", ["broadcast", "main is frozen"]],
  ["would_update", ["rpc", "call", "audit", "describe"]],
  ["would_update", ["lifecycle", "plan", "audit it"]],
  ["would_update", ["lifecycle", "advance", "SPAWN"]],
  ["would_update", ["lifecycle", "advance", "DEPLOY"]],
  ["would_update", ["lifecycle", "advance", "OBSERVE"]],
  ["would_update", ["lifecycle", "advance", "HARVEST"]],
  ["would_update", ["lifecycle", "advance", "CLEANUP"]],
  ["would_update", ["lifecycle", "reflect", "ship smaller"]],
  ["would_create", ["wave", "create", "w1", "--roles", "lead,tester"]],
  ["would_update", ["wave", "complete", "w1"]],
  ["would_create", ["pipeline", "create", "--source", "1", "--sink", "2"]],
  ["would_delete", ["pipeline", "close", "pipe_0001"]],
];

const MOVED = [".claws/log/meta.json", ".claws/moved.json"];

/** A folder whose log was moved into a cluster. */
function leaveLog(workspace: Workspace): Promise<void> {
  putLog(workspace, 3);
  writeFileSync(clawsFile(workspace, "moved.json"), JSON.stringify({ state: "left", cluster: "team", epoch: 1 }));
  return Promise.resolve();
}

export const DRY_RUNS: readonly DryRun[] = [
  { argv: ["exec-command", "add-dir", "src/util"], effect: "would_create", affects: ["src/util"] },
  { argv: ["exec-command", "export", "new.md"], effect: "would_create", affects: ["new.md"] },
  { argv: ["exec-command", "status"], effect: "noop", affects: [] },
  { argv: ["exec-tool", "write_file", MADE], effect: "would_create", affects: ["made.txt"] },
  { argv: ["exec-tool", "read_file", "taken.md"], effect: "noop", affects: [] },
  { argv: ["exec-tool", "bash", "touch made.txt", ...UNCONFINED], effect: "would_update", affects: ["."] },
  { argv: ["prompt", "hi", ...SCRIPTED], effect: "would_update", affects: ["."] },
  { argv: ["turn-loop", "hi", ...SCRIPTED], effect: "would_create", affects: [".claw/sessions"] },
  { argv: ["bootstrap", "hi", ...SCRIPTED], effect: "would_create", affects: [".claw/sessions"] },
  {
    argv: ["completion", "fish", "--install"],
    effect: "would_create",
    affects: ["../home/.config/fish/completions/claw.fish"],
  },
  { argv: ["service", "install", "--manager", "systemd"], effect: "would_create", affects: serviceFile },
  { argv: ["service", "uninstall"], effect: "noop", affects: [] },
  { argv: ["mcp", "install", "codex"], effect: "would_create", affects: ["../home/.codex/config.toml"] },
  { argv: ["mcp", "uninstall", "codex"], effect: "noop", affects: [] },
  { argv: ["backup", "../kept.tar.gz"], effect: "would_create", affects: ["../kept.tar.gz"] },
  { argv: ["restore", "../kept.tar.gz"], effect: "would_update", affects: [".claw"], asks: backUp },
  { argv: ["uninstall"], effect: "noop", affects: [], env: ownCache },
  {
    argv: ["cluster-credentials", "ann", "--cluster", "team", "--out", "../keys"],
    effect: "would_create",
    affects: ["../keys/ann.nk", "../keys/team.conf"],
  },
  { argv: ["bus", "migrate", "--to", "old-log"], effect: "would_update", affects: MOVED, asks: leaveLog },
  { argv: ["up"], effect: "would_create", affects: [".claws/claws.sock"] },
  { argv: ["fleet", "fleet.yaml"], effect: "would_create", affects: [] },
  { argv: ["down"], effect: "would_delete", affects: [".claws/claws.sock"], daemon: true },
  { argv: ["publish", "note.x", "1"], effect: "would_create", affects: [], topics: ["note.x"], daemon: true },
  {
    argv: ["approve", "fixer", "--choose=B"],
    effect: "would_update",
    affects: [],
    topics: [ASKED],
    asks: withQuestion,
  },
  { argv: ["reject", "fixer"], effect: "would_update", affects: [], topics: [ASKED], asks: withQuestion },
  { argv: ["accept", "fixer"], effect: "would_update", affects: [], topics: ["p_000001"], asks: withReport },
  { argv: ["merge", "fixer"], effect: "would_update", affects: [], topics: ["refs/heads/main"], asks: withWork },
  { argv: ["rework", "plan", "again"], effect: "would_update", affects: [], topics: ["p_000002"], asks: withOwnReport },
  { argv: ["restart", "plan"], effect: "would_update", affects: [], topics: ["p_000002"], asks: withOwnReport },
  { argv: ["rm", "plan"], effect: "would_delete", affects: [".claws/workers/p_000002"], asks: withOwnReport },
  { argv: ["prune"], effect: "would_delete", affects: [".claws/workers/p_000002"], asks: withOwnReport },
  { argv: ["send", "fixer", "hi"], ...commandTo("inject_text") },
  { argv: ["abort", "fixer"], ...commandTo("abort") },
  { argv: ["pause", "fixer"], ...commandTo("pause") },
  { argv: ["resume", "fixer"], ...commandTo("resume") },
  { argv: ["notify", "test"], effect: "would_create", affects: [], topics: ["notify"] },
  { argv: ["spawn", "hi", "--harness", "fake"], effect: "would_create", affects: [".claws/workers"], daemon: true },
  { argv: ["delete-session", "demo"], effect: "would_delete", affects: [demo] },
  { argv: ["export", "new.md"], effect: "would_create", affects: ["new.md"] },
  { argv: ["export", "taken.md", "--yes"], effect: "would_update", affects: ["taken.md"] },
  { argv: ["flush-transcript", "hi", "--session-id", "demo"], effect: "would_update", affects: [demo] },
  {
    argv: ["flush-transcript", "hi", "--session-id", "fresh"],
    effect: "would_create",
    affects: [".claw/sessions/fresh.jsonl"],
  },
  { argv: ["run", "hi", "--harness", "claude-code"], effect: "would_update", affects: ["."] },
  {
    argv: ["run", "hi", "--harness", "codex", "--transcript", "run.jsonl"],
    effect: "would_update",
    affects: [".", "run.jsonl"],
  },
  {
    argv: ["init"],
    effect: "would_create",
    affects: [".claw/settings.json", ".claw/.gitignore"],
  },
];

/** Verbs of a daemon. Its log also holds who came and went, so what they did is looked for there. */
export const KEYED_ON_DAEMON: readonly (readonly string[])[] = [
  ["up"],
  ["publish", "note.x", "1"],
  ["spawn", "hi", "--harness", "fake", "--name", "first", "--wait", "complete"],
  ["rework", "first", "again"],
  ["restart", "first"],
  ["fleet", "fleet.yaml"],
  ["rm", "plan"],
  ["spawn", "hi", "--harness", "fake", "--name", "second", "--wait", "complete"],
  ["prune", "--yes"],
  ["down"],
];

export const KEYED_ON_WORKER: readonly (readonly [
  argv: readonly string[],
  prepare: (workspace: Workspace) => Promise<unknown>,
  env?: (workspace: Workspace) => NodeJS.ProcessEnv,
])[] = [
  [["approve", "fixer", "--choose", "B"], withQuestion],
  [["reject", "fixer"], withQuestion],
  [["accept", "fixer"], withReport],
  [["merge", "fixer"], withWork],
  [["send", "fixer", "hi", "--wait", "none"], withFixer],
  [["abort", "fixer", "--wait", "none"], withFixer],
  [["pause", "fixer", "--wait", "none"], withFixer],
  [["resume", "fixer", "--wait", "none"], withFixer],
  [["notify", "test"], withNotify],
  [["restore", "../kept.tar.gz", "--yes"], backUp],
  [["bus", "migrate", "--to", "old-log"], leaveLog],
  [["mcp", "uninstall", "codex"], (workspace) => clawJson(workspace, ["mcp", "install", "codex"])],
  [["service", "uninstall"], (workspace) => clawJson(workspace, ["service", "install"])],
  [["uninstall", "--yes"], (workspace) => clawJson(workspace, ["completion", "fish", "--install"]), ownCache],
];

export const KEYED: readonly (readonly string[])[] = [
  ["exec-command", "add-dir", "src/util"],
  ["exec-tool", "write_file", MADE],
  ["exec-tool", "bash", "echo once >> said.txt", ...UNCONFINED],
  ["delete-session", "demo"],
  ["export", "new.md", "--session-id", "demo"],
  ["flush-transcript", "only once", "--session-id", "demo"],
  ["flush-transcript", "only once"],
  ["init"],
  ["completion", "zsh", "--install"],
  ["service", "install"],
  ["mcp", "install", "gemini", "--scope", "project"],
  ["backup", "../kept.tar.gz"],
  ["cluster-credentials", "ann", "--cluster", "team", "--out", "../keys"],
  ["run", "hi", ...FROM_HERE],
  ["prompt", "hi", ...SCRIPTED],
  ["turn-loop", "hi", ...SCRIPTED],
  ["bootstrap", "hi", ...SCRIPTED],
];
