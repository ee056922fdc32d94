import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { textOf } from "../e2e/provocations.ts";
import type { Answer } from "../model-server/model-scenario.ts";
import { use } from "../model-server/model-scenario.ts";
import { runReal } from "./claw.ts";
import { claudeStarted, codexPastFirstStart, withToken } from "./first-start.ts";
import { DONE } from "./headless-clis.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { claw, spawnWorker, startDaemon, untilState } from "./real-workers.ts";

const CLIS: readonly {
  readonly harness: "claude-code" | "codex";
  readonly flags: readonly string[];
  /** Writes `out.txt` by the agent's own tool for files. */
  readonly edits: Answer;
  /** Writes `made.txt` by a command. */
  readonly runs: Answer;
  /** What the agent calls itself when it may write to the workspace. */
  readonly mode: string;
}[] = [
  {
    harness: "claude-code",
    flags: [],
    edits: use("Write", { file_path: "__RUN__/out.txt", content: "written\n" }),
    runs: use("Bash", { command: "sleep 0.2; sh -c 'echo made > made.txt'", description: "Make a file" }),
    mode: "acceptEdits",
  },
  {
    harness: "codex",
    flags: ["--model", "gpt-5.5"],
    edits: use("exec_command", {
      cmd: "apply_patch <<'E'\n*** Begin Patch\n*** Add File: out.txt\n+written\n*** End Patch\nE",
    }),
    runs: use("exec_command", { cmd: "sleep 0.2; echo made > made.txt" }),
    mode: "workspace-write",
  },
];

const made = ({ cwd }: RealScene): boolean[] => ["out.txt", "made.txt"].map((name) => existsSync(join(cwd, name)));

describe.each(CLIS)("$harness", ({ harness, flags, edits, runs, mode }) => {
  const turns = [edits, runs, DONE];

  test("edits files and runs commands in the workspace when it is run without a mode", async () => {
    const scene = await createRealScene({ turns });
    const { result } = await runReal(scene, harness, ...flags);
    expect([made(scene), result.succeeded_cleanly, result.permission_denials]).toEqual([[true, true], true, []]);
  });

  test("changes nothing when it may only read, and says what was refused", async () => {
    const scene = await createRealScene({ turns });
    const { result, exitCode } = await runReal(scene, harness, ...flags, "--permission-mode", "read-only");
    expect([made(scene), result.succeeded_cleanly, exitCode]).toEqual([[false, false], false, 0]);
    expect(result.permission_denials).toHaveLength(2);
    expect(result.warnings).toContainEqual(expect.stringMatching(/^permission-denied: 2 calls were refused: /));
  });

  test("as a headless worker writes unasked when it is told it may, and ps shows what it reports", async () => {
    const scene = await createRealScene({ turns });
    await startDaemon(scene);
    await spawnWorker(scene, "--harness", harness, ...flags, "--permission-mode", "workspace-write", "write it");
    const reported = { permission_mode: mode, permission_mode_asked: "workspace-write" };
    expect(await untilState(scene, "finished")).toMatchObject(reported);
    expect(made(scene)).toEqual([true, true]);
  });
});

/** Claude Code whose user has set nothing: a new version starts in a mode that writes unasked. */
function unset(scene: RealScene): RealScene {
  const started = withToken(claudeStarted(scene));
  writeFileSync(join(String(scene.env["CLAUDE_CONFIG_DIR"]), "settings.json"), "{}");
  return started;
}

describe("Claude Code in a terminal", () => {
  const [{ edits }] = CLIS as [(typeof CLIS)[number]];
  const spawn = ["--interactive", "--harness", "claude-code"];

  test("asks before it writes when no mode is given", async () => {
    const scene = unset(await createRealScene({ turns: [edits, DONE] }));
    await startDaemon(scene);
    const { id } = await spawnWorker(scene, ...spawn, "write it");
    const worker = await untilState(scene, "needs_input");
    expect(worker).toMatchObject({ reason: expect.stringContaining("Write"), permission_mode: "default" });
    expect(existsSync(join(scene.cwd, "out.txt"))).toBe(false);
    await claw(scene, "abort", id);
  });

  test("writes unasked when it is told it may", async () => {
    const scene = unset(await createRealScene({ turns: [edits, DONE] }));
    await startDaemon(scene);
    const { id } = await spawnWorker(scene, ...spawn, "--permission-mode", "workspace-write", "write it");
    await until("the file", () => textOf(join(scene.cwd, "out.txt")) === "written\n");
    expect(await untilState(scene, "needs_input")).toMatchObject({ permission_mode: "acceptEdits" });
    await claw(scene, "abort", id);
  });
});

test("Codex in a terminal asks nothing when it may write to the workspace", async () => {
  const [, { edits }] = CLIS as [unknown, (typeof CLIS)[number]];
  const scene = codexPastFirstStart(await createRealScene({ turns: [edits, DONE] }));
  await startDaemon(scene);
  const flags = ["--model", "gpt-5.5", "--permission-mode", "workspace-write"];
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "codex", ...flags, "write it");
  await until("the file", () => textOf(join(scene.cwd, "out.txt")) === "written\n");
  expect(await claw(scene, "approvals")).toMatchObject({ approvals: [] });
  await claw(scene, "abort", id);
});

test.runIf(process.getuid?.() === 0)(
  "Claude Code refuses root what no sandbox holds, and the run says so",
  async () => {
    const scene = await createRealScene("text");
    const { code, result } = await runReal(scene, "claude-code", "--permission-mode", "danger-full-access");
    expect([code, result.error]).toEqual(["HARNESS_FAILED", expect.stringContaining("root/sudo privileges")]);
  },
);
