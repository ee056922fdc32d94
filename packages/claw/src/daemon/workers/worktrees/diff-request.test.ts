import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Frame } from "../../../bus/testing/bus-harness.ts";
import { join as joinBus, settle, startBus } from "../../../bus/testing/bus-harness.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { diffRequest } from "./diff-request.ts";

const SECRET = "hunter2hunter2hunter2";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
  }).trim();

/** A repository with one commit on main, and a worktree's branch. */
function makeWorktree() {
  const path = temporaryFolder(onTestFinished);
  git(path, "init", "-q", "-b", "main");
  writeFileSync(join(path, "a.txt"), "one\n");
  git(path, "add", ".");
  git(path, "commit", "-q", "-m", "first");
  const base = git(path, "rev-parse", "HEAD");
  git(path, "switch", "-q", "-c", "claw/one");
  return { path, branch: "claw/one", base, from: "main", repository: path };
}

/** Stands for the program: says that commits of a command cannot be taken. */
const takes = (args: readonly string[]): Promise<JsonObject> => Promise.resolve({ problem: `asked ${args.join(" ")}` });

async function begin(worktree: object | null) {
  const extend = () => {
    const registry = createWorkerRegistry();
    const requests = [diffRequest({ registry, env: { API_TOKEN: SECRET }, runVerb: takes })];
    return [{ name: "workers", memory: registry.memory, requests }];
  };
  const harness = await startBus({ extend });
  const { client } = await joinBus(harness, "observer");
  const payload = spawnedEvent("p_0000aa", { worktree: worktree as never });
  harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
  await settle();
  let asked = 100;
  return (worker: unknown, more: object = {}): Promise<Frame> => {
    const id = (asked += 1);
    client.send(JSON.stringify({ id, cmd: "worker.diff", worker, ...more }));
    // Git answers in its own time.
    return vi.waitFor(() => {
      const frame = client.frames.map((text) => JSON.parse(text) as Frame).find(({ rid }) => rid === id);
      if (frame === undefined) throw new Error("no reply yet");
      return frame;
    }, 60_000);
  };
}

test("the changes of a worker hold commits, uncommitted and unknown files, with secrets masked", async () => {
  const worktree = makeWorktree();
  writeFileSync(join(worktree.path, "a.txt"), "two\n");
  git(worktree.path, "commit", "-qam", "second");
  writeFileSync(join(worktree.path, "new.txt"), `token ${SECRET}\n`);
  const ask = await begin(worktree);
  const reply = await ask("lexer");
  expect(reply).toMatchObject({
    ok: true,
    peerId: "p_0000aa",
    name: "lexer",
    base: worktree.base,
    branch: "claw/one",
    files: [
      { path: "a.txt", insertions: 1, deletions: 1 },
      { path: "new.txt", insertions: 1, deletions: 0 },
    ],
    commits: [{ sha: expect.any(String), subject: "second" }],
    uncommitted: ["new.txt"],
    cut: false,
  });
  expect(reply["patch"]).toContain("+two");
  expect(reply["patch"]).toContain("+token");
  expect(JSON.stringify(reply)).not.toContain(SECRET);
});

test("with `take`, commits that were left apart are taken first, and it is said whether all is merged", async () => {
  const worktree = makeWorktree();
  const ask = await begin(worktree);
  const problem = "asked diff p_0000aa --stat";
  expect(await ask("lexer", { take: true })).toMatchObject({ ok: true, problem, merged: true });
  writeFileSync(join(worktree.path, "a.txt"), "two\n");
  const open = await ask("lexer", { take: true, stat: true });
  expect(open).toMatchObject({ ok: true, problem, merged: false, patch: "", files: [{ path: "a.txt" }] });
  git(worktree.path, "commit", "-qam", "second");
  expect(await ask("lexer", { take: true })).toMatchObject({ merged: false });
  git(worktree.path, "branch", "-f", "main", "claw/one");
  expect(await ask("lexer", { take: true })).toMatchObject({ merged: true });
  expect(await ask("lexer")).not.toHaveProperty("merged");
});

test("calls for the same worker at the same time get the same answer", async () => {
  const ask = await begin(makeWorktree());
  const [first, second] = await Promise.all([ask("p_0000aa"), ask("lexer")]);
  expect(first).toMatchObject({ ok: true, files: [], patch: "" });
  expect(second).toMatchObject({ ok: true, base: first?.["base"] });
});

test.each([
  ["no worktree", null, "lexer", "NO_WORKTREE"],
  ["another name", null, "parser", "WORKER_NOT_FOUND"],
  ["no name", null, 7, "WORKER_NOT_FOUND"],
])("a worker with %s is refused", async (_what, worktree, worker, code) => {
  expect(await (await begin(worktree))(worker)).toMatchObject({ ok: false, code });
});

test("a worktree that is gone, or is no repository any more, is refused", async () => {
  const worktree = makeWorktree();
  const ask = await begin(worktree);
  rmSync(join(worktree.path, ".git"), { recursive: true });
  expect(await ask("lexer")).toMatchObject({ ok: false, code: "WORKTREE_FAILED" });
  rmSync(worktree.path, { recursive: true });
  expect(await ask("lexer")).toMatchObject({ ok: false, code: "NO_WORKTREE" });
});
