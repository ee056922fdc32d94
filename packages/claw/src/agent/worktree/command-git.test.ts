import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCommandGit, takeCommits } from "./command-git.ts";
import { readTipRecord, writeTipRecord } from "./tip-record.ts";
import { askGit, openWorkerCage } from "./testing/worker-cage.ts";
import { needSandbox } from "../sandbox/testing/workspace-with-canary.ts";
import { workerTreeOf } from "./worker-tree.ts";

test("what a command commits in a worktree is on the worker's branch in the repository, and nothing else moves", async () => {
  const { run, ask, tree, repository } = openWorkerCage(onTestFinished);
  const before = ask("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main");
  const { output, notes } = await run(
    "echo b > b; git add b; git commit -q -m two && git status --short && git log --oneline main..",
  );
  expect({ output, notes }).toEqual({ output: expect.stringMatching(/^[0-9a-f]+ two\n$/) as string, notes: [] });
  expect(ask("log", "-1", "--format=%an %s", "claw/w")).toBe("Person two");
  expect(ask("show", "claw/w:b")).toBe("b");
  expect(ask("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main")).toBe(before);
  expect(ask("for-each-ref", "--format=%(refname)")).toBe("refs/heads/claw/w\nrefs/heads/main");
  expect(askGit(tree.root, "status", "--short")).toBe("");
  expect(ask("fsck", "--strict")).toBe("");
  expect(existsSync(join(repository, ".git", "worktrees", "w", "MERGE_HEAD"))).toBe(false);
});

test("the repository's own git folder is not there to be seen or written, but for its objects", async () => {
  const { run, repository } = openWorkerCage(onTestFinished);
  const dot = join(repository, ".git");
  writeFileSync(join(dot, "hooks", "post-commit"), "x");
  const { output } = await run(
    `ls ${dot}; ls ${dot}/worktrees; touch ${dot}/objects/x; echo x >> ${dot}/worktrees/w/config; touch ${dot}/worktrees/w/hooks/pre-commit; rm -rf ${dot}/worktrees/w/config`,
  );
  expect(output).toMatch(/^objects\nworktrees\nw\n/);
  expect(output.match(/Read-only file system/g)).toHaveLength(3);
});

test("a worker writes its own commits anew, resets them and packs them", async () => {
  const { run, ask } = openWorkerCage(onTestFinished);
  await run("echo b > b; git add b; git commit -q -m two");
  expect((await run("git commit -q --amend -m changed; git gc -q")).notes).toEqual([]);
  expect(ask("log", "--format=%s", "main..claw/w")).toBe("changed");
  expect((await run("git reset -q --hard main")).notes).toEqual([]);
  expect(ask("rev-parse", "claw/w")).toBe(ask("rev-parse", "main"));
});

test("many files come along as a pack", async () => {
  const { run, ask } = openWorkerCage(onTestFinished);
  const { notes } = await run("for i in $(seq 300); do echo $i > f$i; done; git add -A; git commit -q -m many");
  expect(notes).toEqual([]);
  expect(ask("ls-tree", "-r", "--name-only", "claw/w").split("\n")).toHaveLength(302);
  expect(ask("count-objects", "-v")).toContain("packs: 1");
});

test("commits of a killed process are taken up by the next one, wherever it was killed", async () => {
  const { run, ask, tree, git } = openWorkerCage(onTestFinished);
  await git.prepare();
  const base = readTipRecord(tree);
  if (base === null) throw new Error("no record");
  await run("echo b > b; git add b; git commit -q -m two");
  const two = ask("rev-parse", "claw/w");
  const anew = () => createCommandGit(tree, () => needSandbox({ root: tree.root, extraFolders: [] }));
  // Before the branch was moved, and after it was.
  ask("update-ref", "refs/heads/claw/w", base.tip);
  for (const record of [base, { ...base, moving: two }, { ...base, moving: two }]) {
    writeTipRecord(tree, record);
    await anew().prepare();
    expect(ask("rev-parse", "claw/w")).toBe(two);
    expect(readTipRecord(tree)).toEqual({ ...base, tip: two });
    expect(askGit(tree.root, "status", "--short")).toBe("");
  }
  writeTipRecord(tree, { ...base, moving: two });
  expect((await run("git commit -q --amend -m three")).notes).toEqual([]);
  expect(ask("log", "--format=%s", "main..claw/w")).toBe("three");
});

test("what the person commits to the branch is there for the next command, and is never lost", async () => {
  const { run, ask, tree } = openWorkerCage(onTestFinished);
  await run("echo b > b; git add b; git commit -q -m two");
  writeFileSync(join(tree.root, "mine"), "mine\n");
  askGit(tree.root, "add", "mine");
  askGit(tree.root, "commit", "-q", "-m", "mine");
  const { output, notes } = await run(
    "git log --format=%s main..; git status --short; echo c > c; git add c; git commit -q -m three",
  );
  expect({ output, notes }).toEqual({ output: "mine\ntwo\n", notes: [] });
  expect(ask("log", "--format=%s", "main..claw/w")).toBe("three\nmine\ntwo");
});

test("a branch that the person moved while a command ran stays where it is", async () => {
  const { run, ask, tree } = openWorkerCage(onTestFinished);
  await run("echo b > b; git add b; git commit -q -m two");
  const mine = ask("commit-tree", "-p", "claw/w", "-m", "mine", "claw/w^{tree}");
  const other = await run("git commit -q --amend -m other", () => ask("update-ref", tree.ref, mine));
  expect(other.notes).toEqual([expect.stringContaining(`moved to ${mine.slice(0, 12)}`) as string]);
  expect(ask("log", "--format=%s", "main..claw/w")).toBe("mine\ntwo");
});

test("two commands at once lose nothing", async () => {
  const { run, ask } = openWorkerCage(onTestFinished);
  await run("true");
  const each = (name: string) =>
    run(`echo ${name} > ${name}; until git add ${name} && git commit -q -m ${name} ${name}; do :; done`);
  const ended = await Promise.all(["x", "y", "z"].map(each));
  expect(ended.flatMap(({ notes }) => notes)).toEqual([]);
  expect(ask("log", "--format=%s", "main..claw/w").split("\n").toSorted()).toEqual(["x", "y", "z"]);
});

test("commits on another branch stay, and the command is told so", async () => {
  const { run, ask, folder } = openWorkerCage(onTestFinished);
  const { notes } = await run("git switch -q -c other; echo b > b; git add b; git commit -q -m two");
  expect(notes).toEqual([expect.stringContaining("git is not on claw/w") as string]);
  expect(ask("for-each-ref", "--format=%(refname)")).toBe("refs/heads/claw/w\nrefs/heads/main");
  expect(readFileSync(join(folder, "HEAD"), "utf8")).toContain("other");
  expect((await run("git switch -q claw/w; git merge -q other")).notes).toEqual([]);
  expect(ask("log", "--format=%s", "main..claw/w")).toBe("two");
});

test("a worker in a folder of its worktree sees all of git, and changes that folder alone", async () => {
  const { run, ask } = openWorkerCage(onTestFinished, "packages/one");
  const { output, notes } = await run(
    "git status --short; ls ../..; echo b > b; git add -A; git commit -q -a -m two; git status --short; touch ../../x",
  );
  expect(output).toMatch(/^a\npackages\ntouch: .*Read-only file system\n$/);
  expect(notes).toEqual([]);
  expect(ask("show", "--format=%s", "--name-status", "claw/w")).toBe("two\n\nA\tpackages/one/b");
});

test("a folder of a worktree that is a repository itself is not the worker's tree", () => {
  const { tree } = openWorkerCage(onTestFinished);
  const inner = join(tree.root, "inner", "below");
  mkdirSync(inner, { recursive: true });
  expect(workerTreeOf(inner)).toEqual(tree);
  mkdirSync(join(tree.root, "inner", ".git"));
  expect(workerTreeOf(inner)).toBeNull();
});

test("more than may be taken is refused as a whole, and stays in the private folder until it may be", async () => {
  const { run, ask, tree, git } = openWorkerCage(onTestFinished);
  await git.prepare();
  const inside = { tree, sandbox: needSandbox({ root: tree.root, extraFolders: [] }) };
  const before = ask("rev-parse", "claw/w");
  const large = { bytes: 100_000, memoryBytes: 64 * 1024 * 1024 };
  const small = { bytes: 100_000_000, memoryBytes: 1024 * 1024 };
  const commit = (make: string) => `${make}; git add x; git commit -q -m x`;
  // One pack is large; the other is small, and what it holds takes more memory than git may have.
  for (const [make, limits, reason] of [
    ["head -c 300000 /dev/urandom > x", large, /take more than 100000 bytes$/],
    ["head -c 4000000 /dev/zero > x", small, /^its objects are not sound: /],
  ] as const) {
    let taken: unknown;
    await run(commit(make), () => {
      taken = takeCommits({ ...inside, limits });
    });
    expect(await taken).toMatchObject({ kind: "refused", reason: expect.stringMatching(reason) as string });
  }
  expect(ask("log", "--format=%s", `${before}..claw/w`)).toBe("x\nx");
  expect(ask("fsck", "--strict")).toBe("");
});
