import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { keyFile, lockFile, META, pidOfKeyed, preload, putLock, putSession, snapshot, textOf } from "./provocations.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

const ARGS = ["flush-transcript", "hello", "--session-id", "s", "--idempotency-key", "k"];

/** A session that this process holds, so that a writer waits for it. */
function heldSession(): Workspace {
  const workspace = createWorkspace();
  putSession(workspace, "s", `${META}\n`);
  putLock(lockFile(workspace, "s"));
  mkdirSync(join(workspace.cwd, ".claw", "idempotency"));
  return workspace;
}

/** Ends a call that waits for a session, and looks that it left everything as it was. */
async function interrupt<T>(workspace: Workspace, signal: NodeJS.Signals, call: Promise<T>): Promise<T> {
  const before = snapshot(workspace.cwd);
  process.kill(await pidOfKeyed(workspace, "k"), signal);
  const answer = await call;
  const after = snapshot(workspace.cwd);
  expect(after.transient).toEqual([".claw/sessions/s.lock"]);
  expect({ ...before.lasting, [keyPath(workspace)]: undefined }).toEqual({
    ...after.lasting,
    [keyPath(workspace)]: undefined,
  });
  expect(existsSync(keyFile(workspace, "k"))).toBe(false);
  return answer;
}

const keyPath = (workspace: Workspace): string => keyFile(workspace, "k").slice(workspace.cwd.length + 1);

describe.for(SIGNALS)("%s while a call waits for a session", ([signal, exit]) => {
  test("is one CANCELLED answer in the default envelope, exit 1", async () => {
    const workspace = heldSession();
    const body = await interrupt(workspace, signal, clawJson(workspace, ARGS));
    expect(body).toMatchObject({
      exit_code: 1,
      kind: "cancelled",
      error: { code: "CANCELLED", signal, retryable: true },
    });
  });

  test("is one CANCELLED answer in `flat`, exit 1", async () => {
    const workspace = heldSession();
    const body = await interrupt(workspace, signal, flatJson(workspace, ARGS));
    expect(body).toMatchObject({ type: "error", kind: "cancelled", code: "CANCELLED" });
  });

  test(`is one CANCELLED answer in \`response\`, exit ${exit}`, async () => {
    const workspace = heldSession();
    const { error, exitCode } = await interrupt(workspace, signal, responseJson(workspace, ARGS));
    expect(error).toMatchObject({ code: "CANCELLED", signal, retryable: true });
    expect(exitCode).toBe(exit);
  });

  test.for(["claw", "flat", "response"])(`is a line for people, exit ${exit}, with --envelope %s`, async (envelope) => {
    const workspace = heldSession();
    const ended = await interrupt(workspace, signal, runClaw(workspace, [...ARGS, "--envelope", envelope]));
    expect(ended).toMatchObject({ exitCode: exit, signal: null, stdout: "" });
    expect(ended.stderr).toContain(`error[cancelled]: cancelled by ${signal}`);
  });

  test("leaves the key free, so that the same call can be made again", async () => {
    const workspace = heldSession();
    await interrupt(workspace, signal, runClaw(workspace, ARGS));
    putLock(lockFile(workspace, "s"), { pid: 2 ** 22 + 1, started: "1" });
    expect(await clawJson(workspace, ARGS)).toMatchObject({ messages_count: 1, effect: "updated" });
  });

  test("once more ends a call that does not let go at once", async () => {
    const workspace = heldSession();
    const heard = join(workspace.home, "heard");
    // The call is made deaf to its own cancellation, and says when the first signal has arrived.
    const env = preload(
      workspace,
      `AbortSignal.prototype.throwIfAborted = () => {};
       process.once(${JSON.stringify(signal)}, () =>
         setImmediate(() => require("node:fs").writeFileSync(${JSON.stringify(heard)}, "yes")));`,
    );
    const ended = runClaw(workspace, [...ARGS, "--output-format", "json"], { env });
    const pid = await pidOfKeyed(workspace, "k");
    process.kill(pid, signal);
    await until("the first signal to be heard", () => textOf(heard));
    process.kill(pid, signal);
    const { stdout, exitCode, signal: by } = await ended;
    // A call that waits for its lock to the end says so.
    expect(stdout).not.toContain("SESSION_LOCKED");
    expect(by === signal || exitCode === exit || exitCode === 1).toBe(true);
    expect(stdout.split("\n").length).toBeLessThanOrEqual(2);
  });
});

describe("a signal while a child runs", () => {
  test.for<[string, NodeJS.Signals]>([
    ["status", "SIGINT"],
    ["status", "SIGTERM"],
    ["doctor", "SIGINT"],
  ])("%s ended by %s is CANCELLED, not an answer with holes, and the child is ended", async ([verb, signal]) => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".git"));
    const bin = join(workspace.home, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh\necho $PPID $$ >"${bin}/new"\nmv "${bin}/new" "${bin}/pids"\nexec sleep 600\n`,
      {
        mode: 0o755,
      },
    );
    const call = clawJson(workspace, [verb], { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
    const pids = await until("git to run", () => textOf(join(bin, "pids")));
    const [parent = 0, child = 0] = pids.trim().split(" ").map(Number);
    process.kill(parent, signal);
    const body = await call;
    expect(body.error).toMatchObject({ code: "CANCELLED", signal });
    await until(
      "git to be gone",
      () => /^(Z.*)?$/.test(textOf(`/proc/${child}/stat`)?.split(") ")[1] ?? "") || undefined,
    );
  });
});

describe("time limits", () => {
  test("a call that waits for a session ends at its limit", async () => {
    const workspace = heldSession();
    const body = await clawJson(workspace, [...ARGS, "--timeout-seconds", "0.25"]);
    expect(body).toMatchObject({ exit_code: 2, error: { code: "TIMEOUT", timeout_ms: 250 } });
    expect(snapshot(workspace.cwd).transient).toEqual([".claw/sessions/s.lock"]);
    expect(existsSync(keyFile(workspace, "k"))).toBe(false);
  });

  test("a status that git keeps waiting ends at its limit as TIMEOUT or with git unknown", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".git"));
    const bin = join(workspace.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const body = await clawJson(workspace, ["status", "--timeout-seconds", "0.5"], { env });
    expect(body.error?.code ?? (body["workspace"] as Record<string, unknown>)["git_state"]).toMatch(
      /^(TIMEOUT|unknown)$/,
    );
  });
});
