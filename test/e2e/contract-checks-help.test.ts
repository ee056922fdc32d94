import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DISPATCH_ERRORS, errorRow, errorsOf, isFamily, wordsOf } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { chooseSeed } from "../reliability/random.ts";
import { connectWire, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { part } from "./effort.ts";
import { installFakes } from "./install-fakes.ts";
import { putLog } from "./migration-scene.ts";
import { readTree } from "./read-tree.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { CLAUDE, CODEX } from "./script-agent.ts";
import { seedFile, seedSession } from "./seed.ts";
import { runShell } from "./run-shell.ts";
import { withQuestion, withReport } from "./fixer-scene.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { withWork } from "./work-scene.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const names = Object.keys(VERBS);
const LINE_WIDTH = 80;

/** Examples about a worker that asks, or has reported. */
const NEEDS_QUESTION = /^claw (approve|reject)\b/;
const NEEDS_REPORT = /^claw (accept(?!.*--merge)|rm)\b/;

/** Examples about a worker that left work in its worktree, or whose log is told. */
const NEEDS_WORK = /^claw (accept .*--merge|diff|merge|logs .*fixer)\b/;

const NEEDS_DAEMON =
  /^claw (approvals|broadcast|dashboard|down|events|lifecycle|machines|peers|pipeline|prune|ps|publish|spawn|stream-events|tasks list|terminal|tokens|wait --topic|wave)\b/;

/** Calls that have to come before examples of verbs over the wire of the bus. */
const NEEDS_CALL: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^claw restore project\b/, ["backup", "project.tar.gz"]],
  [/^claw tokens revoke\b/, ["tokens", "create", "--role", "worker", "--peer", "ci"]],
  [/^claw terminal (exec|close)\b/, ["terminal", "create"]],
  [/^claw tasks (update|complete|cancel)\b/, ["tasks", "assign", "worker", "audit it"]],
  [/^claw lifecycle advance\b/, ["lifecycle", "plan", "audit it"]],
  [/^claw wave (status|complete)\b/, ["wave", "create", "w1", "--roles", "lead"]],
  [/^claw pipeline close\b/, ["pipeline", "create", "--source", "1", "--sink", "2"]],
];

/** Examples that need a worker of that name. */
const NEEDS_WORKER = /^claw (abort|pause|resume|rpc|send|tasks (assign|update|complete|cancel))\b/;

/** Examples about two workers. */
const NEEDS_TWO = /^claw wait parser lexer\b/;

/** Examples that go on with a session, which has to be one of our own. */
const NEEDS_OWN_SESSION = / --continue$| --session-id latest$/;

/** Examples that need a terminal. */
const NEEDS_TERMINAL = /^claw (attach|logs \d)\b/;

async function startTerminal(workspace: Workspace): Promise<void> {
  const { socket } = await startDaemon(workspace);
  endHostAfterTest(workspace);
  const orchestrator = await connectWire(socket);
  await orchestrator.hello("orchestrator");
  expect(await orchestrator.ask({ cmd: "create", name: "work", argv: ["/bin/cat"] })).toMatchObject({ id: "1" });
}

async function startWorkers(workspace: Workspace, ...names: readonly string[]): Promise<void> {
  const { socket } = await startDaemon(workspace);
  for (const peerName of names) await (await connectWire(socket)).hello("worker", { peerName });
}
/** A repository with a commit. */
const REPOSITORY = "git init -q && git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m first";

/** Examples that go on until something happens. */
const ENDLESS = /^claw (events --follow|ps --watch|stream-events|wait)\b/;

/** A folder where everything that help might look at is broken or missing. */
function createWreck(): Workspace {
  const workspace = createWorkspace();
  seedFile(workspace, ".claw/settings.json", '{ "model": ');
  seedFile(workspace, ".claw.json", "[]");
  seedFile(workspace, ".claw/sessions", "a file where a folder should be");
  return workspace;
}

const HOMELESS = { HOME: undefined, CLAW_CONFIG_HOME: undefined };

describe("help", () => {
  test("on every verb needs no home and no sound settings, makes no file, and fits 80 columns", async () => {
    const workspace = createWreck();
    const before = [readTree(workspace.cwd), readTree(workspace.home)];
    const texts = await Promise.all(
      names.map((verb) => runClaw(workspace, [...verb.split(" "), "--help"], { env: HOMELESS })),
    );
    for (const [index, { stdout, stderr, exitCode }] of texts.entries()) {
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      expect(stdout).toContain(`Usage: claw ${names[index]}`);
      expect(stdout.split("\n").filter((line) => line.length > LINE_WIDTH)).toEqual([]);
      expect(stdout).not.toContain("\u001B");
    }
    expect([readTree(workspace.cwd), readTree(workspace.home)]).toEqual(before);
  });

  test("says the same by `help VERB`, `VERB --help` and `VERB -h`, whatever else is wrong with the line", async () => {
    const workspace = createWorkspace();
    const ways = [
      ["help", "export"],
      ["export", "--help"],
      ["-h", "export"],
      ["export", "--bogus", "--help"],
    ];
    const [first, ...others] = await Promise.all(ways.map((argv) => runClaw(workspace, argv)));
    expect(others).toEqual(others.map(() => first));
  });

  test("on a family of verbs lists them, and explains each by its two words", async () => {
    const workspace = createWorkspace();
    const listed = await Promise.all(
      [
        ["help", "tasks"],
        ["tasks", "--help"],
      ].map((argv) => runClaw(workspace, argv)),
    );
    expect(listed.map(({ stdout }) => stdout)).toEqual(listed.map(() => expect.stringMatching(/ {2}tasks list {2}/)));
    const explained = [
      ["help", "tasks", "list"],
      ["tasks", "list", "-h"],
      ["tasks", "--nope", "list", "--help"],
    ];
    const [first, ...others] = await Promise.all(explained.map((argv) => runClaw(workspace, argv)));
    expect(first?.stdout).toContain("Usage: claw tasks list [flags]");
    expect(others).toEqual(others.map(() => first));
  });

  test("without a topic names every verb within 80 columns", async () => {
    const { stdout, exitCode } = await runClaw(createWorkspace(), ["--help"]);
    expect(exitCode).toBe(0);
    const words = names.map((name) => wordsOf(name).command);
    expect(words.filter((word) => !stdout.includes(`  ${word} `))).toEqual([]);
    expect(stdout.split("\n").filter((line) => line.length > LINE_WIDTH)).toEqual([]);
  });

  test("on an unknown topic names the nearest", async () => {
    expect(await clawJson(createWorkspace(), ["help", "exprot"])).toMatchObject({
      kind: "help_topic_not_found",
      hint: expect.stringContaining("export") as unknown,
    });
  });
});

/** Agents to run, something to tell them, and what they said before. */
function seedAgents(workspace: Workspace): void {
  installFakes(workspace, "text");
  seedFile(workspace, "README.md", "# A repository\n");
  seedFile(workspace, "task.md", "explain this repository");
  seedFile(workspace, "policy.sh", "#!/bin/sh\n");
  seedFile(workspace, "fleet.yaml", "name: docs\nworkers:\n  - { name: plan, mission: plan it }\n");
  seedFile(workspace, "run.ndjson", `${CLAUDE.init}\n${CLAUDE.hello}\n${CLAUDE.result}\n`);
  seedFile(workspace, "codex.ndjson", `${CODEX.started}\n${CODEX.hello}\n${CODEX.completed}\n`);
}

/** Makes everything that an example speaks of: sessions, a daemon, workers, terminals, work to be merged. */
async function prepareFor(workspace: Workspace, command: string): Promise<void> {
  if (NEEDS_OWN_SESSION.test(command)) await clawJson(workspace, ["flush-transcript", "hello"]);
  seedSession(workspace, "ID");
  mkdirSync(join(workspace.home, ".config/fish/completions"), { recursive: true });
  // The Claude Code that plays here knows no `mcp add`; without any, claw edits the file at once.
  if (!/^claw mcp install\b/.test(command)) seedAgents(workspace);
  stopAfterTest(workspace);
  endHostAfterTest(workspace);
  if (NEEDS_DAEMON.test(command)) await startDaemon(workspace);
  if (NEEDS_QUESTION.test(command)) await withQuestion(workspace);
  if (NEEDS_REPORT.test(command)) await withReport(workspace);
  if (NEEDS_WORK.test(command)) await withWork(workspace);
  if (NEEDS_TERMINAL.test(command)) await startTerminal(workspace);
  if (NEEDS_WORKER.test(command)) await startWorkers(workspace, "worker");
  if (NEEDS_TWO.test(command)) await startWorkers(workspace, "parser", "lexer");
  for (const [fits, argv] of NEEDS_CALL) if (fits.test(command)) await clawJson(workspace, argv);
  if (command.includes("--worktree")) await runShell(workspace, REPOSITORY, "sh");
}

/** Moves of a log name a server of NATS: the example gets the address of a real one. */
async function withServer(workspace: Workspace, command: string): Promise<string> {
  if (!/^claw bus migrate\b/.test(command)) return command;
  putLog(workspace, 3);
  if (!command.includes("nats://")) return command;
  const { url, kill } = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats") });
  onTestFinished(() => kill());
  const flags = ["--bus", url, "--cluster", "team"];
  if (command.includes("--to folder")) await clawJson(workspace, ["bus", "migrate", "--to", "stream", ...flags]);
  return command.replace("nats://localhost", url);
}

const SEED = chooseSeed();

describe(`commands that claw prints for its users, with CLAW_SEED=${SEED}`, () => {
  /** Those of a session need a person; to start a worker again needs one of our own. */
  const unattended = Object.values(VERBS).filter(
    ({ name }) => !["chat", "notify test", "restart", "rework", "top"].includes(name),
  );
  const examples = unattended.flatMap((verb) => verb.examples.map(({ command }) => command));

  test.each(part(examples, 3, SEED))("as an example, runs as it stands: %s", async (example) => {
    const workspace = createWorkspace();
    await prepareFor(workspace, example);
    const command = await withServer(workspace, example);
    const shell = command.includes("eval") ? "bash" : "sh";
    const brief = `${command.replace(/ --timeout-seconds \d+/, "")} --timeout-seconds 1`;
    const isEndless = ENDLESS.test(command);
    const { exitCode, stderr } = await runShell(workspace, isEndless ? brief : command, shell);
    const said = stderr
      .replace(/^Token .* It is shown this once:\n/, "")
      .replace(/^warning: Claude Code will ask: Trust .*\n/, "")
      .replace(/^(?:(?:Following|Waiting for) .*; Ctrl-C ends it\.\n|(?:claw\.run: .*\n)*)/, "");
    const isTimeout = said === "" || said.startsWith("error[timeout]");
    expect([exitCode, isEndless && isTimeout ? "" : said]).toEqual([isEndless ? 2 : 0, ""]);
  });

  test("in hints and next steps, begin with a verb there is", async () => {
    const workspace = createWorkspace();
    const answer = await clawJson(workspace, ["status"]);
    const steps = (answer["next_steps"] as { command: string }[]).map(({ command }) => command);
    const codes = new Set([...DISPATCH_ERRORS, ...Object.values(VERBS).flatMap((verb) => errorsOf(verb))]);
    const hints = [...codes].map((code) => errorRow(code).hint);
    const verbs = [...steps, ...hints].flatMap((text) => [...text.matchAll(/(?:^|[`:] ?)claw ([a-z-]+)/g)]);
    expect(verbs.length).toBeGreaterThan(5);
    expect(
      verbs
        .map(([, verb]) => verb)
        .filter((verb) => verb !== "-p" && !names.includes(verb ?? "") && !isFamily(verb ?? "")),
    ).toEqual([]);
    const ended = await Promise.all(steps.map((command) => runShell(workspace, command)));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(steps.map(() => 0));
  });
});

/** Calls whose text would be coloured on a terminal. */
const COLOURFUL = [["status"], ["doctor"], ["list-sessions"], ["help"], ["init", "--dry-run"], ["statuz"]];

describe("colours", () => {
  test("are not written into a pipe, even when somebody tries to force them", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "demo");
    const environments = [{}, { NO_COLOR: "1" }, { FORCE_COLOR: "1", CLICOLOR_FORCE: "1", TERM: "xterm-256color" }];
    const ended = await Promise.all(
      environments.flatMap((env) => COLOURFUL.map((argv) => runClaw(workspace, argv, { env }))),
    );
    expect(ended.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes("\u001B"))).toEqual([]);
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;

  test.skipIf(!hasScript)("are for terminals, and NO_COLOR and --no-color turn them off there", async () => {
    const workspace = createWorkspace();
    const onTerminal = async (line: string): Promise<boolean> => {
      const { stdout } = await runShell(workspace, `TERM=xterm script -qec '${line}' /dev/null`);
      expect(stdout).toContain("Usage:");
      return stdout.includes("\u001B[");
    };
    const lines = ["claw help", "NO_COLOR=1 claw help", "claw help --no-color", "TERM=dumb claw help"];
    expect(await Promise.all(lines.map(onTerminal))).toEqual([true, false, false, false]);
  });
});

const SHELLS = [
  { shell: "bash", check: ["-n"] },
  { shell: "zsh", check: ["-n"] },
  { shell: "fish", check: ["--no-execute"] },
] as const;

const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

describe("completion", () => {
  test.each(SHELLS)("for $shell is a script that the shell can read and that names every verb", async (row) => {
    const workspace = createWorkspace();
    const { stdout, exitCode } = await runClaw(workspace, ["completion", row.shell]);
    expect(exitCode).toBe(0);
    expect(names.filter((name) => !name.split(" ").every((word) => stdout.includes(word)))).toEqual([]);
    if (!isInstalled(row.shell)) return;
    const file = join(workspace.home, "completion");
    writeFileSync(file, stdout);
    execFileSync(row.shell, [...row.check, file]);
  });

  /** What bash would offer for the last of these words. */
  async function complete(words: readonly string[], workspace = createWorkspace()): Promise<string[]> {
    const list = words.map((word) => `'${word}'`).join(" ");
    const line = `source <(claw completion bash); COMP_WORDS=(${list}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _claw; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await runShell(workspace, line, "bash");
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  test("in bash, finds verbs, their flags, their words and the flags of every call", async () => {
    const [verb, flag, word, global] = await Promise.all([
      complete(["claw", "list-s"]),
      complete(["claw", "export", "--for"]),
      complete(["claw", "completion", "z"]),
      complete(["claw", "--output-f"]),
    ]);
    expect({ verb, flag, word, global }).toEqual({
      verb: ["list-sessions"],
      flag: ["--format"],
      word: ["zsh"],
      global: ["--output-format"],
    });
  });

  test("in bash, finds the values of a flag, and the verbs behind help", async () => {
    const [values, assigned, everywhere, free, verbs] = await Promise.all([
      complete(["claw", "run", "--on-permission", ""]),
      complete(["claw", "spawn", "--harness", "=", "cod"]),
      complete(["claw", "status", "--envelope", "f"]),
      complete(["claw", "spawn", "--name", "--"]),
      complete(["claw", "help", "list-s"]),
    ]);
    expect({ values, assigned, everywhere, free, verbs }).toEqual({
      values: ["deny", "ask", "command"],
      assigned: ["codex"],
      everywhere: ["flat"],
      free: [],
      verbs: ["list-sessions"],
    });
  });

  test("in bash, finds the names of workers and the ids of sessions", async () => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    seedSession(workspace, "review-1");
    const worker = ["spawn", "--harness", "fake", "--name", "tidy-up", "--wait", "complete", "do it"];
    await clawJson(workspace, ["up"]);
    await clawJson(workspace, worker);
    const [logs, accept, session, resume] = await Promise.all([
      complete(["claw", "logs", "tid"], workspace),
      complete(["claw", "accept", "ti"], workspace),
      complete(["claw", "delete-session", "rev"], workspace),
      complete(["claw", "chat", "--resume", "rev"], workspace),
    ]);
    expect({ logs, accept, session, resume }).toEqual({
      logs: ["tidy-up"],
      accept: ["tidy-up"],
      session: ["review-1"],
      resume: ["review-1"],
    });
  });

  /** What fish would offer for the last word of each line; without fish installed, null. */
  async function completeInFish(lines: readonly string[]): Promise<string[][] | null> {
    if (!isInstalled("fish")) return null;
    const asked = lines.map((line) => `echo ==; complete -C ${JSON.stringify(line)}`).join("\n");
    const { stdout, stderr } = await runShell(createWorkspace(), `claw completion fish | source\n${asked}`, "fish");
    expect(stderr).toBe("");
    const parts = stdout.split("==\n").slice(1);
    return parts.map((part) => part.split("\n").flatMap((offer) => offer.split("\t")[0] || []));
  }

  test("in fish, finds verbs, flags, values and the second words of verbs, whatever stands before", async () => {
    const offers = await completeInFish([
      "claw list-s",
      "claw export --for",
      "claw run --on-permission ",
      "claw spawn --harness=cod",
      "claw help list-s",
      "claw --cwd /tmp terminal ",
      "claw terminal create --fold",
      "claw terminal create cl",
    ]);
    expect(offers).toEqual([
      ["list-sessions"],
      ["--format"],
      ["ask", "command", "deny"],
      ["--harness=codex"],
      ["list-sessions"],
      ["close", "create", "exec", "list"],
      ["--folder"],
      [],
    ]);
  });

  test("in bash, sees the verb behind a flag that takes a value", async () => {
    expect(await complete(["claw", "--cwd", "/tmp", "export", "--for"])).toEqual(["--format"]);
  });
});
