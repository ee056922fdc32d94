import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { hideFromGit } from "../../../files/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { leasePort } from "../place-worker.ts";
import type { WorktreePlan } from "./make-worktree.ts";
import { makeWorktree } from "./make-worktree.ts";
import { removeWorktree } from "./remove-worktree.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
  }).trim();

function makeRepository(): string {
  const root = temporaryFolder(onTestFinished);
  git(root, "init", "-q", "-b", "main");
  writeFileSync(join(root, "a.txt"), "a\n");
  writeFileSync(join(root, ".gitignore"), "*.env\nbuild/\n");
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "first");
  mkdirSync(join(root, ".claws", "workers"), { recursive: true });
  hideFromGit(join(root, ".claws"));
  return root;
}

const NOTHING: WorktreePlan = { include: [], setup: [], teardown: [] };

const make = (root: string, plan: Partial<WorktreePlan> = {}, name = "one") =>
  makeWorktree({
    cwd: root,
    claws: join(root, ".claws"),
    name,
    plan: { ...NOTHING, ...plan },
    port: 41_001,
    folder: join(root, ".claws", "workers"),
    umask: 0o022,
  });

test("a worktree has a branch of its own, and git sees nothing of ours in the repository", async () => {
  const root = makeRepository();
  const { worktree, cwd, env } = await make(root);
  expect(worktree).toEqual({
    path: join(root, ".claws/worktrees/one"),
    branch: "claw/one",
    base: git(root, "rev-parse", "HEAD"),
    from: "main",
    repository: root,
    port: 41_001,
  });
  expect(cwd).toBe(worktree.path);
  expect(env).toEqual({ CLAW_PORT: "41001", PORT: "41001" });
  expect(git(root, "status", "--porcelain")).toBe("");
  expect(git(cwd, "branch", "--show-current")).toBe("claw/one");
});

test("a second worktree of the same name gets a place of its own", async () => {
  const root = makeRepository();
  await make(root);
  expect((await make(root)).worktree.branch).toBe("claw/one-2");
});

test("files that git does not know are brought along by pattern and by name", async () => {
  const root = makeRepository();
  writeFileSync(join(root, "local.env"), "A=1\n");
  writeFileSync(join(root, "other.env"), "B=1\n");
  mkdirSync(join(root, "build"));
  writeFileSync(join(root, "build", "x"), "x");
  writeFileSync(join(root, ".worktreeinclude"), "# local settings\nlocal.env\n");
  const { cwd } = await make(root, { include: ["build"] });
  expect(readFileSync(join(cwd, "local.env"), "utf8")).toBe("A=1\n");
  expect(existsSync(join(cwd, "build", "x"))).toBe(true);
  expect(existsSync(join(cwd, "other.env"))).toBe(false);
  await expect(make(root, { include: ["../outside"] })).rejects.toMatchObject({ code: "WORKTREE_FAILED" });
});

test("set-up runs in the worktree with its port; one that fails leaves nothing and says what it printed", async () => {
  const root = makeRepository();
  const { cwd } = await make(root, { setup: ['echo "$CLAW_PORT" > port.env'] });
  expect(readFileSync(join(cwd, "port.env"), "utf8")).toBe("41001\n");
  const failing = make(root, { setup: ["echo no such tool >&2; exit 3"] }, "two");
  await expect(failing).rejects.toMatchObject({
    code: "WORKTREE_FAILED",
    message: expect.stringContaining("ended with 3: no such tool"),
  });
  expect(existsSync(join(root, ".claws/worktrees/two"))).toBe(false);
  expect(git(root, "branch", "--list", "claw/two")).toBe("");
});

test("a folder without a repository, or a repository without a commit, has no worktrees", async () => {
  const empty = temporaryFolder(onTestFinished);
  await expect(make(empty)).rejects.toMatchObject({ code: "NOT_A_REPOSITORY" });
  git(empty, "init", "-q");
  await expect(make(empty)).rejects.toMatchObject({ code: "NOT_A_REPOSITORY" });
});

test("a worktree that holds work is never removed", async () => {
  const root = makeRepository();
  const folder = join(root, ".claws", "workers");
  const { worktree, cwd } = await make(root);
  writeFileSync(join(cwd, "b.txt"), "b\n");
  expect(await removeWorktree(worktree, [], { folder, umask: 0o022 })).toEqual({
    kind: "kept",
    tornDown: false,
    reason: "it has changes that are not committed",
  });
  git(cwd, "add", ".");
  git(cwd, "commit", "-q", "-m", "work");
  expect(await removeWorktree(worktree, [], { folder, umask: 0o022 })).toEqual({
    kind: "kept",
    tornDown: false,
    reason: "claw/one has commits that are not merged (1)",
  });
  git(root, "merge", "-q", "--no-edit", "claw/one");
  expect(await removeWorktree(worktree, ["exit 1"], { folder, umask: 0o022 })).toMatchObject({ kind: "kept" });
  expect(await removeWorktree(worktree, ["echo bye"], { folder, umask: 0o022 })).toEqual({ kind: "removed" });
  expect(existsSync(cwd)).toBe(false);
  expect(git(root, "branch", "--list", "claw/*")).toBe("");
  expect(readFileSync(join(folder, "teardown.log"), "utf8")).toContain("bye");
});

test("files that git does not know keep a worktree, even in a repository that is told not to show them", async () => {
  const root = makeRepository();
  const { worktree, cwd } = await make(root);
  git(root, "config", "status.showUntrackedFiles", "no");
  writeFileSync(join(cwd, "b.txt"), "b\n");
  const place = { folder: join(root, ".claws", "workers"), umask: 0o022 };
  expect(await removeWorktree(worktree, [], place)).toMatchObject({ kind: "kept" });
  expect(existsSync(join(cwd, "b.txt"))).toBe(true);
});

test.each(["--assume-unchanged", "--skip-worktree"])(
  "changes that git was told not to see keep a worktree: %s",
  async (flag) => {
    const root = makeRepository();
    const { worktree, cwd } = await make(root);
    const [tracked = ""] = git(cwd, "ls-files").split("\n");
    git(cwd, "update-index", flag, tracked);
    writeFileSync(join(cwd, tracked), "changed\n");
    const place = { folder: join(root, ".claws", "workers"), umask: 0o022 };
    expect(await removeWorktree(worktree, [], place)).toMatchObject({ kind: "kept" });
    expect(readFileSync(join(cwd, tracked), "utf8")).toBe("changed\n");
  },
);

test("files of a worktree are made as the user makes his, whatever the mask of this process", async () => {
  const root = makeRepository();
  const before = process.umask(0o077);
  onTestFinished(() => void process.umask(before));
  const { cwd } = await make(root, { setup: ["echo x > made"] });
  const modes = ["a.txt", "made"].map((name) => statSync(join(cwd, name)).mode & 0o777);
  expect(modes).toEqual([0o644, 0o644]);
});

test("a link in the place of our folder leads nothing out of the workspace", async () => {
  const root = makeRepository();
  const elsewhere = temporaryFolder(onTestFinished);
  symlinkSync(elsewhere, join(root, ".claws", "worktrees"));
  await expect(make(root)).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("commits that are on no branch keep a worktree", async () => {
  const root = makeRepository();
  const { worktree, cwd } = await make(root);
  git(cwd, "checkout", "-q", "--detach");
  git(cwd, "commit", "-q", "--allow-empty", "-m", "work");
  expect(await removeWorktree(worktree, [], { folder: join(root, ".claws", "workers"), umask: 0o022 })).toMatchObject({
    kind: "kept",
  });
  expect(existsSync(cwd)).toBe(true);
});

test("files that git ignores keep a worktree until tear-down takes them away; copies do not", async () => {
  const root = makeRepository();
  const folder = join(root, ".claws", "workers");
  writeFileSync(join(root, "local.env"), "A=1\n");
  const { worktree, cwd } = await make(root, { include: ["local.env"] });
  mkdirSync(join(cwd, "build"));
  writeFileSync(join(cwd, "build", "x"), "x");
  expect(await removeWorktree(worktree, [], { folder, umask: 0o022 })).toEqual({
    kind: "kept",
    tornDown: false,
    reason: "it has files that git ignores: build/x",
  });
  writeFileSync(join(cwd, "local.env"), "A=2\n");
  expect(await removeWorktree(worktree, ["rm -r build"], { folder, umask: 0o022 })).toEqual({
    kind: "kept",
    tornDown: true,
    reason: "it has files that git ignores: local.env",
  });
  writeFileSync(join(cwd, "local.env"), "A=1\n");
  expect(await removeWorktree(worktree, [], { folder, umask: 0o022 })).toEqual({ kind: "removed" });
  expect(existsSync(cwd)).toBe(false);
});

test("work that tear-down makes is not thrown away", async () => {
  const root = makeRepository();
  const { worktree, cwd } = await make(root);
  const removal = await removeWorktree(worktree, ["echo x > late.txt"], {
    folder: join(root, ".claws", "workers"),
    umask: 0o022,
  });
  expect(removal).toEqual({ kind: "kept", reason: "it has changes that are not committed", tornDown: true });
  expect(existsSync(join(cwd, "late.txt"))).toBe(true);
});

/** A program outside of the repository that leaves a mark, and its name for settings of git. */
function trap(): { readonly program: string; readonly hasRun: () => boolean } {
  const folder = temporaryFolder(onTestFinished);
  const [program, mark] = [join(folder, "evil"), join(folder, "ran")];
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
  return { program, hasRun: () => existsSync(mark) };
}

test("programs that the folder's settings name are not started to make, judge and remove a worktree", async () => {
  const root = makeRepository();
  const { program, hasRun } = trap();
  writeFileSync(join(root, "b.txt"), "b\n");
  git(root, "add", "b.txt");
  git(root, "commit", "-q", "-m", "second");
  const filter = `[filter "x"]\n\tsmudge = ${program}\n\tclean = ${program}\n\trequired = true\n`;
  for (const name of ["tree", "branch"]) writeFileSync(join(root, ".git", name), filter.replace('"x"', `"${name}"`));
  const config = join(root, ".git", "config");
  const conditions = `[includeIf "gitdir:**/worktrees/**"]\n\tpath = tree\n[includeIf "onbranch:claw/*"]\n\tpath = branch\n`;
  const monitor = `[core]\n\tfsmonitor = ${program}\n`;
  writeFileSync(config, readFileSync(config, "utf8") + filter + conditions + monitor);
  const attributes = "a.txt filter=x\n.gitignore filter=tree\nb.txt filter=branch\n";
  writeFileSync(join(root, ".git", "info", "attributes"), attributes);
  const { worktree, cwd } = await make(root);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("a\n");
  // A file whose times changed is read again, by way of its filters.
  for (const name of ["a.txt", "b.txt", ".gitignore"]) utimesSync(join(cwd, name), 1, 1);
  const place = { folder: join(root, ".claws", "workers"), umask: 0o022 };
  expect(await removeWorktree(worktree, ["touch -d @2 a.txt b.txt .gitignore"], place)).toEqual({ kind: "removed" });
  expect(hasRun()).toBe(false);
});

test("filters of the user's own settings are at work in a worktree", async () => {
  const root = makeRepository();
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "settings"), '[filter "up"]\n\tsmudge = tr a A\n\tclean = tr A a\n');
  vi.stubEnv("GIT_CONFIG_GLOBAL", join(folder, "settings"));
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(root, ".git", "info", "attributes"), "a.txt filter=up\n");
  const { cwd } = await make(root);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("A\n");
});

/** Puts a git before the real one that writes down when calls about worktrees begin and end. */
function recordWorktreeCalls(): () => string[] {
  const folder = temporaryFolder(onTestFinished);
  const record = join(folder, "calls");
  const tell = (word: string): string => `case "$*" in *"worktree "*) echo ${word} >> ${record};; esac`;
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh\n${tell("begin")}\n${real} "$@"\ncode=$?\n${tell("end")}\nexit $code\n`,
  );
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(record, "utf8").trimEnd().split("\n");
}

test("many worktrees of one repository are made and removed at once, while git sees one call after the other", async () => {
  const root = makeRepository();
  const calls = recordWorktreeCalls();
  const names = Array.from({ length: 4 }, (_, index) => `w${index}`);
  const made = await Promise.all(names.map((name) => make(root, {}, name)));
  expect(made.map(({ worktree }) => worktree.branch)).toEqual(names.map((name) => `claw/${name}`));
  const place = { folder: join(root, ".claws", "workers"), umask: 0o022 };
  const removals = await Promise.all(made.map(({ worktree }) => removeWorktree(worktree, [], place)));
  expect(removals).toEqual(names.map(() => ({ kind: "removed" })));
  expect(calls()).toEqual(calls().map((_, index) => (index % 2 === 0 ? "begin" : "end")));
});

test("two who ask for a port at once get two", async () => {
  const reserved = new Set<number>();
  const [first, second] = await Promise.all([leasePort(reserved, () => false), leasePort(reserved, () => false)]);
  expect(first).not.toBe(second);
  expect(await leasePort(reserved, () => true)).toBeNull();
});

test.each(["--squash", "rebase"])("work that came into the branch by %s keeps no worktree", async (how) => {
  const root = makeRepository();
  const { worktree } = await make(root);
  for (const name of ["b", "c"]) {
    writeFileSync(join(worktree.path, name), `${name}\n`);
    git(worktree.path, "add", name);
    git(worktree.path, "commit", "-q", "-m", name);
  }
  git(root, "commit", "-q", "--allow-empty", "-m", "meanwhile");
  const remove = () => removeWorktree(worktree, [], { folder: join(root, ".claws", "workers"), umask: 0o022 });
  expect(await remove()).toMatchObject({ kind: "kept" });
  if (how === "rebase") git(root, "cherry-pick", "HEAD..claw/one");
  else {
    git(root, "merge", "-q", how, "claw/one");
    git(root, "commit", "-q", "-m", "squashed");
  }
  expect(await remove()).toEqual({ kind: "removed" });
  expect(git(root, "branch", "--list", "claw/*")).toBe("");
});

test("commits in a worker's private git folder keep its worktree, until a branch of the repository has them", async () => {
  const root = makeRepository();
  const { worktree } = await make(root);
  const folder = join(root, ".claws", "git", "one", "folder");
  git(root, "clone", "-q", "--bare", root, folder);
  const remove = () => removeWorktree(worktree, [], { folder: join(root, ".claws", "workers"), umask: 0o022 });
  const [own] = git(folder, "commit-tree", "-p", "main", "-m", "private", "main^{tree}").split("\n");
  for (const change of [
    () => git(folder, "update-ref", "refs/heads/claw/one", String(own)),
    () => git(folder, "pack-refs", "--all"),
  ]) {
    change();
    expect(await remove()).toEqual({
      kind: "kept",
      tornDown: false,
      reason: "its worker has commits that are not on a branch of the repository",
    });
  }
  // A worker of the same name is given another place meanwhile.
  git(root, "worktree", "remove", worktree.path);
  git(root, "branch", "-D", "claw/one");
  expect((await make(root)).worktree.branch).toBe("claw/one-2");
  git(folder, "update-ref", "refs/heads/claw/one", "main");
  expect(await remove()).toEqual({ kind: "removed" });
  expect(existsSync(join(root, ".claws", "git", "one"))).toBe(false);
});

test("what our own agent writes of its sessions is no work", async () => {
  const root = makeRepository();
  const { worktree, cwd } = await make(root);
  writeFileSync(join(cwd, ".claw", "sessions", "s.jsonl"), "{}\n");
  expect(git(worktree.path, "status", "--porcelain")).toBe("");
  expect(await removeWorktree(worktree, [], { folder: join(root, ".claws", "workers"), umask: 0o022 })).toEqual({
    kind: "removed",
  });
});
