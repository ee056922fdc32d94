import { readFileSync } from "node:fs";
import { join } from "node:path";
import { matchVerb } from "claw-contract";
import { describeVerb, VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { startDaemon } from "./daemon-process.ts";
import { effort } from "./effort.ts";
import { readTree } from "./read-tree.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { seedFile, seedSession, sessionFile } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Nothing in the values says that they are secret; only where they stand does. */
const ENV_CANARIES = {
  ANTHROPIC_API_KEY: "wren-4471-environment",
  FOO_TOKEN: "heron-5582-environment",
  DB_PASSWORD: "plover 6693/environment",
};
const CANARIES = [...Object.values(ENV_CANARIES), "avocet-7704-settings", "dunlin-8815-settings", "knot-9926-settings"];
const [, , , KEY_CANARY, HEADER_CANARY, LIST_CANARY] = CANARIES;

const SETTINGS = {
  model: "claude-opus-4-5",
  apiKey: KEY_CANARY,
  env: { DB_PASSWORD: ENV_CANARIES.DB_PASSWORD, SERVICE_TOKEN: KEY_CANARY },
  mcpServers: { files: { headers: { Authorization: `Bearer ${HEADER_CANARY}` }, apiKeys: [LIST_CANARY] } },
  servers: [{ url: "http://localhost", apiKey: KEY_CANARY, headers: [{ name: "X-Token", value: LIST_CANARY }] }],
};

const leaks = (text: string): string[] => CANARIES.filter((canary) => text.includes(canary));

/** Where secrets may stand in settings, sound or not. */
const SETTINGS_FILES: Readonly<Record<string, (workspace: Workspace) => void>> = {
  "sound settings": (workspace) => {
    seedFile(workspace, ".claw/settings.json", JSON.stringify(SETTINGS, null, 2));
    seedFile(workspace, "../home/.claw/settings.json", JSON.stringify(SETTINGS));
  },
  "JSON that breaks beside a secret": (workspace) => {
    seedFile(workspace, ".claw/settings.json", `{ "apiKey": "${KEY_CANARY}" oops }`);
    seedFile(workspace, ".claw.json", `{ "apiKey": ${KEY_CANARY} }`);
    seedFile(workspace, ".claw/settings.local.json", `{ "apiKey": "${KEY_CANARY}`);
  },
  "values of the wrong type": (workspace) => {
    seedFile(workspace, ".claw/settings.json", JSON.stringify({ model: { apiKey: KEY_CANARY } }));
    seedFile(workspace, ".claw.json", JSON.stringify({ permissions: { defaultMode: { token: HEADER_CANARY } } }));
    seedFile(workspace, ".claw/settings.local.json", JSON.stringify([{ apiKey: LIST_CANARY }]));
  },
};

/** Calls with which a verb succeeds, or fails while it holds a secret. */
const CHOSEN_CALLS: readonly (readonly string[])[] = [
  ["bootstrap", `my key is ${ENV_CANARIES.ANTHROPIC_API_KEY}`, "--model", "scripted"],
  ["chat", "--model", ENV_CANARIES.FOO_TOKEN],
  ["completion", "bash"],
  ["config"],
  ["config", ENV_CANARIES.FOO_TOKEN],
  ["delete-session", ENV_CANARIES.ANTHROPIC_API_KEY],
  ["delete-session", "gone"],
  ["demo", "--headless", "--once"],
  ["doctor"],
  ["doctor", "--verbose"],
  ["exec-command", "history"],
  ["exec-command", "export"],
  ["exec-command", "add-dir", ENV_CANARIES.FOO_TOKEN],
  ["exec-command", ENV_CANARIES.FOO_TOKEN, ENV_CANARIES.ANTHROPIC_API_KEY],
  ["exec-tool", "bash", 'echo "$FOO_TOKEN"; env', "--permission-mode", "danger-full-access"],
  ["exec-tool", "bash", `echo ${ENV_CANARIES.FOO_TOKEN}`, "--permission-mode", "read-only"],
  ["exec-tool", ENV_CANARIES.FOO_TOKEN, ENV_CANARIES.ANTHROPIC_API_KEY],
  ["export", "--session-id", "demo"],
  ["export", "--session-id", "demo", "--format", "json"],
  ["export", `${ENV_CANARIES.DB_PASSWORD}.md`],
  ["fake-agent"],
  ["fake-agent", "--scenario", ENV_CANARIES.FOO_TOKEN],
  ["fleet", "fleet.yaml"],
  ["fleet", "fleet.yaml", "--dry-run"],
  ["fleet", `${ENV_CANARIES.FOO_TOKEN}.yaml`],
  ["flush-transcript", `the key is ${ENV_CANARIES.ANTHROPIC_API_KEY}`],
  ["help"],
  ["init"],
  ["list-sessions", "--cursor", ENV_CANARIES.FOO_TOKEN, "--verbose"],
  ["list-sessions"],
  ["load-session", "demo"],
  ["parse-stream", "run.ndjson", "--harness", "claude-code"],
  ["parse-stream", `${ENV_CANARIES.FOO_TOKEN}.ndjson`, "--harness", "codex"],
  ["route", `add ${ENV_CANARIES.FOO_TOKEN}`],
  ["run", `use ${ENV_CANARIES.ANTHROPIC_API_KEY}`, "--harness", "claude-code"],
  ["run", "hi", "--harness", "claude-code", "--dry-run", "--env", `X=${ENV_CANARIES.FOO_TOKEN}`],
  ["schema"],
  [`/${ENV_CANARIES.FOO_TOKEN}`],
  ["status"],
  ["status", `--${ENV_CANARIES.FOO_TOKEN}`],
  ["up"],
  ["down", "--dry-run"],
  ["prompt", `my key is ${ENV_CANARIES.ANTHROPIC_API_KEY}`, "--model", "scripted"],
  ["prompt", "hi", "--model", ENV_CANARIES.FOO_TOKEN],
  ["turn-loop", `it is ${ENV_CANARIES.FOO_TOKEN}`, "--model", "scripted"],
  ["publish", "note.x", JSON.stringify({ key: ENV_CANARIES.ANTHROPIC_API_KEY })],
  ["publish", `note.${ENV_CANARIES.FOO_TOKEN}`, "{"],
  ["spawn", "--harness", "fake", "--scenario", "echo", "--wait", "complete", `it is ${ENV_CANARIES.FOO_TOKEN}`],
  ["events"],
  ["events", "--topic", `${ENV_CANARIES.FOO_TOKEN}..x`],
  ["wait", "--since", "0000:0", "--topic", "note.*", "--timeout-seconds", "5"],
  ["stream-events", "--wait", ENV_CANARIES.FOO_TOKEN, "--timeout-ms", "50"],
  ["ps", "--all", "--fleet", ENV_CANARIES.FOO_TOKEN],
  ["send", ENV_CANARIES.FOO_TOKEN, `it is ${ENV_CANARIES.ANTHROPIC_API_KEY}`],
  ["abort", ENV_CANARIES.FOO_TOKEN, "--reason", ENV_CANARIES.FOO_TOKEN],
  ["approvals", "--all"],
  ["approve", ENV_CANARIES.FOO_TOKEN],
  ["reject", "fixer", "--reason", ENV_CANARIES.FOO_TOKEN],
  ["accept", ENV_CANARIES.FOO_TOKEN, "--note", ENV_CANARIES.ANTHROPIC_API_KEY],
  ["prune", "--dry-run"],
  ["merge", ENV_CANARIES.FOO_TOKEN, "--message", ENV_CANARIES.ANTHROPIC_API_KEY],
  ["rework", ENV_CANARIES.FOO_TOKEN, ENV_CANARIES.ANTHROPIC_API_KEY],
  ["tasks", "list", "--assignee", ENV_CANARIES.FOO_TOKEN],
  ["tokens", "create", "--role", "worker", "--peer", ENV_CANARIES.FOO_TOKEN],
  ["terminal", "create", "--folder", ENV_CANARIES.FOO_TOKEN],
  ["tasks", "assign", ENV_CANARIES.FOO_TOKEN, ENV_CANARIES.ANTHROPIC_API_KEY],
  ["rpc", "call", ENV_CANARIES.FOO_TOKEN, ENV_CANARIES.FOO_TOKEN],
  ["lifecycle", "advance", "PLAN", "--reason", ENV_CANARIES.FOO_TOKEN],
  ["wave", "create", ENV_CANARIES.FOO_TOKEN, "--roles", "lead"],
  ["pipeline", "create", "--source", ENV_CANARIES.FOO_TOKEN, "--sink", "2"],
  [ENV_CANARIES.FOO_TOKEN, "--verbose"],
  ["session", "show", ENV_CANARIES.FOO_TOKEN],
];

const verbIn = (argv: readonly string[]): string | undefined => matchVerb(argv, Object.values(VERBS))?.verb.name;

/** Verbs without such a call are given a secret for each positional. */
const OTHER_CALLS = Object.values(VERBS)
  .filter(({ name }) => !CHOSEN_CALLS.some((argv) => verbIn(argv) === name))
  .map((verb) => {
    const positionals = describeVerb(verb).fields.filter(({ positional }) => positional !== undefined);
    return [...verb.name.split(" "), ...positionals.map(() => ENV_CANARIES.FOO_TOKEN)];
  });

const CALLS = [...CHOSEN_CALLS, ...OTHER_CALLS];

const CLAUDE_LINE = `${JSON.stringify({ type: "result", is_error: false, result: `${ENV_CANARIES.FOO_TOKEN} ${ENV_CANARIES.DB_PASSWORD}` })}\n`;

function createStore(): Workspace {
  const workspace = createWorkspace();
  seedSession(workspace, "demo", undefined, [`use ${ENV_CANARIES.ANTHROPIC_API_KEY} for that`]);
  seedSession(workspace, "gone");
  seedFile(workspace, "run.ndjson", CLAUDE_LINE);
  seedFile(workspace, "fleet.yaml", `name: x\nworkers: [{ name: a, mission: m, model: ${ENV_CANARIES.FOO_TOKEN} }]\n`);
  return workspace;
}

async function leaksOf(workspace: Workspace, argv: readonly string[], extra: NodeJS.ProcessEnv = {}) {
  // Nobody listens there: a prompt for a model of others fails at once.
  const nowhere = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAW_API_ATTEMPTS: "1" };
  const env = { ...ENV_CANARIES, ...nowhere, TMPDIR: workspace.home, ...extra };
  const { stdout, stderr } = await runClaw(workspace, argv, { env });
  return { argv, leaks: leaks(stdout + stderr) };
}

const FORMATS = [
  ["--output-format", "text"],
  ...["claw", "flat", "response"].map((envelope) => ["--output-format", "json", "--envelope", envelope]),
];

/** Every call in two forms; in all of them when there is time. */
const SEEN = FORMATS.slice(0, effort(2, FORMATS.length));

describe("a secret", () => {
  test("is tried here with every verb", () => {
    expect(Object.keys(VERBS).filter((verb) => !CALLS.some((argv) => verbIn(argv) === verb))).toEqual([]);
  });

  test.each(SEEN)("of the environment is in no answer: %s %s %s %s", async (...format) => {
    const workspace = createStore();
    await startDaemon(workspace);
    await clawJson(workspace, ["publish", "note.x", JSON.stringify({ key: ENV_CANARIES.ANTHROPIC_API_KEY })]);
    const found = await Promise.all(CALLS.map((argv) => leaksOf(workspace, [...argv, ...format])));
    expect(found.filter((call) => call.leaks.length > 0)).toEqual([]);
  });

  test.each(Object.entries(SETTINGS_FILES))("in %s is in no answer", async (_name, write) => {
    const workspace = createWorkspace();
    write(workspace);
    const calls = [["config"], ["config", "--verbose"], ["status"], ["doctor"], ["config", "model"], ["init"]];
    const found = await Promise.all(
      calls.flatMap((argv) => SEEN.map((format) => leaksOf(workspace, [...argv, ...format]))),
    );
    expect(found.filter((call) => call.leaks.length > 0)).toEqual([]);
  });

  test("of settings or environment is not in the file that a long answer goes to", async () => {
    const workspace = createWorkspace();
    SETTINGS_FILES["sound settings"]?.(workspace);
    seedFile(workspace, ".claw.json", JSON.stringify({ note: `ask with ${ENV_CANARIES.FOO_TOKEN}` }));
    const env = { ...ENV_CANARIES, TMPDIR: workspace.home, CLAW_MAX_OUTPUT_BYTES: "1500" };
    const answer = await clawJson(workspace, ["config"], { env });
    expect(leaks(readFileSync(String(answer["file"]), "utf8"))).toEqual([]);
  });

  test("in a prompt is masked before it is stored, everywhere", async () => {
    const workspace = createWorkspace();
    const prompt = `deploy with ${Object.values(ENV_CANARIES).join(" and ")}`;
    const argv = ["flush-transcript", prompt, "--session-id", "demo", "--idempotency-key", "k1"];
    const answer = await clawJson(workspace, argv, { env: ENV_CANARIES });
    expect(answer).toMatchObject({ effect: "created" });
    expect(readFileSync(sessionFile(workspace, "demo"), "utf8")).toContain("deploy with");
    const stored = Object.values(readTree(workspace.cwd)).map((file) =>
      Buffer.from(file.split(" ").at(-1) ?? "", "base64").toString(),
    );
    expect(stored.flatMap(leaks)).toEqual([]);
  });

  test("in the answer of a tool is masked before it is kept for a repeated call", async () => {
    const workspace = createWorkspace();
    const mode = ["--permission-mode", "danger-full-access"];
    const argv = ["exec-tool", "bash", "cat said.txt", ...mode, "--idempotency-key", "k1"];
    seedFile(workspace, "said.txt", `it was ${ENV_CANARIES.FOO_TOKEN}`);
    expect(await clawJson(workspace, argv, { env: ENV_CANARIES })).toMatchObject({ handled: true, is_error: false });
    const kept = Object.values(readTree(join(workspace.cwd, ".claw"))).map((file) =>
      Buffer.from(file.split(" ").at(-1) ?? "", "base64").toString(),
    );
    expect(kept.some((text) => text.includes("it was"))).toBe(true);
    expect(kept.flatMap(leaks)).toEqual([]);
  });

  test("in a session of another program is masked in an export", async () => {
    const workspace = createStore();
    const answer = await clawJson(workspace, ["export", "out.md", "--session-id", "demo"], { env: ENV_CANARIES });
    const text = readFileSync(join(workspace.cwd, "out.md"), "utf8");
    expect(answer).toMatchObject({ effect: "created" });
    expect(text).toContain("for that");
    expect(leaks(text)).toEqual([]);
  });
});
