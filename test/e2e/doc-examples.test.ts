import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { connectWire, stopAfterTest } from "./daemon-process.ts";
import type { Block } from "./doc-examples.ts";
import { callsClaw, docBlocks } from "./doc-examples.ts";
import { installFakes } from "./install-fakes.ts";
import { putLog } from "./migration-scene.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import { runShell } from "./run-shell.ts";
import { seedFile } from "./seed.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Blocks with a place are run by `scale-walk.test.ts`, each on its machine. */
const examples = docBlocks().filter(({ language, place }) => language === "sh" && place.length === 0);

/**
 * A `claw` that notes each call, its exit and the kind of its error. What has no end gets one, and a worker is waited
 * for, so that what follows finds it as the reader of the page would, some time later.
 */
const noting = (log: string): string => `#!/bin/sh
called="$*"
errors="${log}.$$"
case "$called" in
  *--follow*|*--watch*) set -- "$@" --timeout-seconds 1 ;;
  spawn*) set -- "$@" --wait complete ;;
esac
"${process.execPath}" "${BINARY}" "$@" 2> "$errors"
code=$?
cat "$errors" >&2
kind=$(sed -n 's/^error\\[\\([a-z_]*\\)\\].*/\\1/p' "$errors" | head -n 1)
printf '%s\\t%s\\t%s\\n' "$called" "$code" "$kind" >> "${log}"
exit $code
`;

const IDENTITY = "-c user.name=n -c user.email=e";

/** An agent that leaves a commit in a worktree of its own. */
const WORKING = `#!/bin/sh
case "$PWD" in
  */worktrees/*) echo mended > mended.txt && git add mended.txt && git ${IDENTITY} commit -q -m mend ;;
esac > /dev/null
exec "${process.execPath}" "${BINARY}" fake-agent claude --scenario tools "$@"
`;

/** A folder in which every program that an example names is there, and none of them is real. */
function openScene(): Workspace {
  const workspace = createWorkspace();
  installFakes(workspace, "tools");
  const programs = { claw: noting(join(workspace.home, "calls")), claude: WORKING, npm: "#!/bin/sh\n" };
  for (const [name, script] of Object.entries(programs)) {
    const file = join(workspace.home, "bin", name);
    writeFileSync(file, script);
    chmodSync(file, 0o755);
  }
  seedFile(workspace, "task.md", "explain this repository");
  mkdirSync(join(workspace.home, ".claw"), { recursive: true });
  const prices = { scripted: { input: 1, output: 1 } };
  writeFileSync(join(workspace.home, ".claw/settings.json"), JSON.stringify({ prices }));
  return workspace;
}

const SCALE = "scale.md";
/** The address that the page about many machines names. */
const NATS_HERE = "nats://127.0.0.1:4222";

/** Examples of moving a log begin with a folder whose log is no cluster's. */
const movesLog = ({ text }: Block): boolean => text.includes("claw bus migrate");

const REPOSITORY = `git init -q . && git ${IDENTITY} commit -q --allow-empty -m one`;

/** Workers that wait for an answer, by name, with the command they ask about. */
const QUESTIONS = { breaker: "rm -rf build", fixer: "npm test" };

async function startAsking(workspace: Workspace, name: string, command: string): Promise<void> {
  const scenario = { steps: [{ type: "permission", tool: "Bash", input: { command } }] };
  seedFile(workspace, `${name}.json`, JSON.stringify(scenario));
  const args = ["spawn", "--harness", "fake", "--scenario", `${name}.json`, "--name", name, "ask"];
  expect((await clawJson(workspace, args)).error).toBeUndefined();
}

/** What the later pages speak of: questions, and a terminal. */
async function prepareFleet(workspace: Workspace): Promise<void> {
  for (const [name, command] of Object.entries(QUESTIONS)) await startAsking(workspace, name, command);
  const orchestrator = await connectWire(join(workspace.cwd, ".claws/claws.sock"));
  await orchestrator.hello("orchestrator");
  expect(await orchestrator.ask({ cmd: "create", name: "work", argv: ["/bin/cat"] })).toMatchObject({ id: "1" });
}

/** A whole script is called as the program that it is put in the place of. */
const lineOf = ({ text }: Block): string => (text.startsWith("#!") ? `set -- -p hi\n${text}` : text);

async function run(workspace: Workspace, blocks: readonly Block[]): Promise<void> {
  for (const block of blocks) await runShell(workspace, lineOf(block));
}

type Noted = readonly [call: string, outcome: string];

/** Every call of claw with how it ended: its exit, or the kind of its error. */
function noted({ home }: Workspace): Noted[] {
  const lines = readFileSync(join(home, "calls"), "utf8").trimEnd().split("\n");
  return lines.map((line): Noted => {
    const [call = "", code = "", kind = ""] = line.split("\t");
    return [call.replaceAll(/ap_[0-9a-f]{12}/g, "ap_X"), kind === "" ? code : kind];
  });
}

/**
 * What a right call may end with here besides 0. The pages name a worker at several times of its life, of which it has
 * one; an id of theirs is not one of ours; a session and a terminal need a person; what has no end was given one.
 */
const EXPECTED: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:send|pause|resume|abort|restart|rework|rm) (?:mend|fixer)/,
    ["worker_ended", "worker_not_reported", "worker_running"],
  ],
  [/^accept fixer/, ["worker_not_reported"]],
  [/^(?:diff|merge|accept) mend/, ["no_worktree"]],
  [/^approve ap_X$|^reject fixer/, ["approval_not_found"]],
  [/^(?:--continue|--model|chat|attach|top)/, ["interactive_only"]],
  [/^notify test/, ["notify_not_set"]],
  [/ --(?:follow|watch)/, ["timeout", "2"]],
];

/** Calls that ended as no right call does. */
const wrong = (calls: readonly Noted[]): Noted[] =>
  calls.filter(
    ([call, outcome]) =>
      outcome !== "0" && !EXPECTED.some(([which, outcomes]) => which.test(call) && outcomes.includes(outcome)),
  );

describe("the shell examples of the documentation", () => {
  test("are all marked as such", () => {
    expect(docBlocks().filter((block) => callsClaw(block) && block.language !== "sh")).toEqual([]);
    expect(examples.length).toBeGreaterThan(10);
  });

  test("of pages about one agent run as they stand", async () => {
    const workspace = openScene();
    stopAfterTest(workspace);
    await run(
      workspace,
      examples.filter(({ page }) => !page.startsWith("workers") && page !== SCALE),
    );
    const calls = noted(workspace);
    expect(wrong(calls)).toEqual([]);
    expect(calls.length).toBeGreaterThan(10);
  });

  test("of the page about many machines run on a server of NATS", async () => {
    const workspace = openScene();
    stopAfterTest(workspace);
    endHostAfterTest(workspace);
    const server = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats") });
    onTestFinished(() => server.kill());
    const blocks = examples.filter((block) => block.page === SCALE && !movesLog(block));
    expect(blocks.some(({ text }) => text.includes(NATS_HERE))).toBe(true);
    await run(
      workspace,
      blocks.map((block) => ({ ...block, text: block.text.replaceAll(NATS_HERE, server.url) })),
    );
    expect(noted(workspace).filter(([, outcome]) => outcome !== "0")).toEqual([]);
  });

  test("of moving a log into a cluster and back run on a server of NATS", async () => {
    const workspace = openScene();
    stopAfterTest(workspace);
    const server = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats") });
    onTestFinished(() => server.kill());
    putLog(workspace, 3);
    const blocks = examples.filter(movesLog);
    expect(blocks.length).toBeGreaterThan(2);
    await run(
      workspace,
      blocks.map((block) => ({ ...block, text: block.text.replaceAll(NATS_HERE, server.url) })),
    );
    expect(noted(workspace).filter(([, outcome]) => outcome !== "0")).toEqual([]);
  });

  test("of pages about workers run as they stand", async () => {
    const workspace = openScene();
    stopAfterTest(workspace);
    endHostAfterTest(workspace);
    await runShell(workspace, REPOSITORY);
    const [first, ...rest] = examples.filter(({ page }) => page.startsWith("workers"));
    if (first !== undefined) await run(workspace, [first]);
    await prepareFleet(workspace);
    await run(workspace, rest);
    const calls = noted(workspace);
    expect(wrong(calls)).toEqual([]);
    // A worker's whole life, and the recipe that answers a question.
    expect(calls).toEqual(
      expect.arrayContaining([
        ["diff mend", "0"],
        ["accept mend --merge", "0"],
        ["wait --topic system.approval.opened --since 0000:0", "0"],
        ["approve ap_X --reason the build can be made again", "0"],
      ]),
    );
  });
});
