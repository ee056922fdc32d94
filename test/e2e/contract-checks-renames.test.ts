import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RENAMES } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { seedFile, seedSession } from "./seed.ts";
import { runShell } from "./run-shell.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Redirected {
  readonly error: { readonly redirect: { readonly command: string } };
}

/** Calls a renamed form and then, in a shell, exactly what its answer says to call instead. */
async function follow(workspace: Workspace, argv: readonly string[]) {
  const { stdout, exitCode } = await runClaw(workspace, argv);
  const { command } = (JSON.parse(stdout) as Redirected).error.redirect;
  const followed = await runShell(workspace, command);
  return { exitCode, command, followed: { ...followed, stdout: JSON.parse(followed.stdout) as unknown } };
}

describe("a renamed form", () => {
  test.each(RENAMES.map(({ from, to }) => [from.join(" "), from, to] as const))(
    "'%s' answers with a permanent redirect in every envelope",
    async (old, from, to) => {
      const workspace = createWorkspace();
      const [claw, flat, response] = await Promise.all([
        clawJson(workspace, from),
        flatJson(workspace, from),
        responseJson(workspace, from),
      ]);
      const redirect = (flags: string) => ({ command: `claw ${to} ${flags}`, permanent: true, reason: "renamed" });
      expect(claw).toMatchObject({
        exit_code: 1,
        kind: "command_renamed",
        error: { kind: "usage", target: old, retryable: false, redirect: redirect("--output-format json") },
      });
      expect(flat).toMatchObject({
        kind: "command_renamed",
        redirect: redirect("--output-format json --envelope flat"),
      });
      expect(response).toMatchObject({
        exitCode: 13,
        error: { retryable: true, redirect: redirect("--output-format json --envelope response") },
      });
      expect(Object.keys(VERBS)).toContain(to);
    },
  );

  test("leads to the same call with flags before, between and after its words", async () => {
    const workspace = createWorkspace();
    for (const id of ["a", "b", "c"]) seedSession(workspace, id);
    const ways = [
      ["--output-format", "json", "session", "list", "--limit", "2"],
      ["session", "--output-format=json", "list", "--limit=2"],
      ["--limit", "2", "sessions", "--output-format", "json"],
    ];
    const answers = await Promise.all(ways.map((argv) => follow(workspace, argv)));
    for (const { exitCode, followed } of answers) {
      expect(exitCode).toBe(1);
      expect(followed).toMatchObject({ exitCode: 0, stderr: "", stdout: { sessions_count: 2, total_count: 3 } });
    }
  });

  test("carries its arguments over, whatever a shell would make of them", async () => {
    const awkward = [
      "my session",
      "it's",
      "$HOME",
      "a;touch owned",
      "`touch owned`",
      "*",
      "~",
      'say "hi"',
      "a\nb",
      "ü",
    ];
    const workspace = createWorkspace();
    seedFile(workspace, "a file.md", "");
    const answers = await Promise.all(
      awkward.map((name) => follow(workspace, ["session", "delete", name, "--output-format", "json"])),
    );
    expect(answers.map(({ followed }) => (followed.stdout as { error: { target: string } }).error.target)).toEqual(
      awkward,
    );
    expect(answers.map(({ followed }) => followed.exitCode)).toEqual(awkward.map(() => 1));
  });

  test("does its work when it is followed", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "demo");
    const folder = join(workspace.cwd, "a folder's folder");
    mkdirSync(folder);
    seedSession({ ...workspace, cwd: folder }, "inner");
    const argv = ["session", "delete", "demo", "--output-format", "json"];
    expect((await follow(workspace, argv)).followed.stdout).toMatchObject({ session_id: "demo", deleted: true });
    const inner = ["--directory", folder, "session", "show", "latest", "--output-format", "json"];
    expect((await follow(workspace, inner)).followed.stdout).toMatchObject({ session_id: "inner", loaded: true });
  });

  test("keeps two dashes where they stood", async () => {
    const workspace = createWorkspace();
    const { command, followed } = await follow(workspace, ["--output-format=json", "--", "session", "load", "--help"]);
    expect(command).toBe("claw --output-format=json -- load-session --help");
    expect(followed).toMatchObject({ exitCode: 1, stdout: { kind: "invalid_session_id" } });
  });

  test("survives masking: what is followed is what was typed", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "demo");
    const argv = ["session", "delete", "demo", "--idempotency-key", "2f1c6d5e8b7a4f90", "--output-format", "json"];
    const { command, followed } = await follow(workspace, argv);
    expect(command).toBe("claw delete-session demo --idempotency-key 2f1c6d5e8b7a4f90 --output-format json");
    expect(followed.stdout).toMatchObject({ deleted: true });
  });

  test("is told to people as a line they can copy", async () => {
    const { stdout, stderr, exitCode } = await runClaw(createWorkspace(), ["session", "list"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain("Run: claw list-sessions\n");
  });
});
