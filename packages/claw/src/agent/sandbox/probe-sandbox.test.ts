import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandEnvironment } from "./command-environment.ts";
import { probeSandbox } from "./probe-sandbox.ts";
import { commandRuns } from "./testing/command-runs.ts";
import type { Cage } from "./testing/workspace-with-canary.ts";
import { CANARY, needSandbox, openCage } from "./testing/workspace-with-canary.ts";

interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly removed: readonly string[];
}

function run({ root, workspace }: Cage, script: string, writable = true): Ran {
  const sandbox = needSandbox(workspace);
  const watch = sandbox.guard({ cwd: root, writable });
  const [file, ...args] = sandbox.wrap(["bash", "-c", script], watch.confinement);
  const env = commandEnvironment({ env: process.env, workspace, manner: "confined" });
  const { status, stdout, stderr } = spawnSync(file, args, { env, encoding: "utf8" });
  return {
    status,
    output: stdout + stderr,
    removed: watch.settle().removed.map(({ path }) => path.slice(root.length + 1)),
  };
}

const git = (cwd: string, ...args: string[]): void => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  expect(spawnSync("git", [...identity, ...args], { cwd, env }).status).toBe(0);
};

describe("in the sandbox", () => {
  test("the workspace is read and, where that is wanted, written", () => {
    const cage = openCage(onTestFinished);
    expect(run(cage, "echo hello > a && cat a")).toMatchObject({ status: 0, output: "hello\n" });
    expect(run(cage, "echo no > b", false).status).not.toBe(0);
    expect([existsSync(join(cage.root, "a")), existsSync(join(cage.root, "b"))]).toEqual([true, false]);
  });

  test.each([
    ["by its path", (cage: Cage) => `cat ${cage.canary}`],
    ["from below", () => "cat ../outside/canary"],
    ["after cd", () => "cd .. && cat outside/canary"],
    ["through a link", (cage: Cage) => `ln -s ${cage.outside} l; cat l/canary`],
    ["through /proc", (cage: Cage) => `cat /proc/1/root${cage.canary} /proc/self/root${cage.canary}`],
    ["by a substitution", (cage: Cage) => `echo $(cat ${cage.canary}) "$(<${cage.canary})"`],
    ["by a pattern", (cage: Cage) => `cat ${cage.outside}/c*`],
    ["in a here-document", (cage: Cage) => `bash <<EOF\ncat ${cage.canary}\nEOF`],
    ["through another namespace", (cage: Cage) => `unshare -Ur cat ${cage.canary}`],
  ])("what is outside cannot be read %s", (_, script) => {
    const cage = openCage(onTestFinished);
    expect(run(cage, script(cage)).output).not.toContain(CANARY);
  });

  test.each([
    ["by its path", (cage: Cage) => `echo x > ${cage.canary}; rm -f ${cage.canary}; touch ${cage.outside}/planted`],
    ["through a link", (cage: Cage) => `ln -s ${cage.outside} l; echo x > l/canary; touch l/planted`],
    ["by a hard link", (cage: Cage) => `ln ${cage.canary} h && echo x > h`],
    ["by a mount", (cage: Cage) => `mount --bind / /tmp; echo x > /tmp${cage.canary}`],
  ])("what is outside cannot be changed %s", (_, script) => {
    const cage = openCage(onTestFinished);
    run(cage, script(cage));
    expect(cage.unharmed()).toBe(true);
  });

  test("a link that was there before leads nowhere", () => {
    const cage = openCage(onTestFinished);
    symlinkSync(cage.outside, join(cage.root, "link"));
    expect(run(cage, "cat link/canary; echo x > link/canary; echo x > link/planted").output).not.toContain(CANARY);
    expect(cage.unharmed()).toBe(true);
  });

  test("there is no network, not even to this machine", async () => {
    const cage = openCage(onTestFinished);
    const server = createServer((_, response) => response.end(CANARY));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(run(cage, `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`).output).not.toContain("reached");
  });

  test("home is empty, other processes are not seen, and passwords are not shown", () => {
    const cage = openCage(onTestFinished);
    const { output } = run(
      cage,
      "ls -d ~/.ssh ~/.bashrc ~/.claude; cat /etc/shadow /etc/gshadow; kill -0 $PPID; ls /proc",
    );
    expect(output).not.toMatch(/root:|:\$/);
    expect(output.split("\n").filter((line) => /^\d+$/.test(line)).length).toBeLessThan(10);
    expect(output).toMatch(/cannot access '[^']*\.ssh'/);
  });

  test("programs of the path run: node, git, and what the system has", () => {
    const cage = openCage(onTestFinished);
    expect(run(cage, "node -p 1+1 && git --version | cut -c1-3 && command -v ls").output).toMatch(/^2\ngit\n\/.*ls\n$/);
  });

  test("nothing that was started is left when it ends", async () => {
    const cage = openCage(onTestFinished);
    const mark = `987${process.pid}`;
    expect(run(cage, `setsid sleep ${mark} >/dev/null 2>&1 & disown; echo done`).output).toBe("done\n");
    // The kernel ends the processes of the sandbox after it has told of the end of the first.
    await expect.poll(() => commandRuns(`sleep ${mark}`), { interval: 5, timeout: 60_000 }).toBe(false);
  });
});

describe("what decides over the agent", () => {
  test("is not changed by a command: settings, hooks and settings of git", () => {
    const cage = openCage(onTestFinished);
    git(cage.root, "init", "-q");
    mkdirSync(join(cage.root, ".claw"));
    writeFileSync(join(cage.root, ".claw", "settings.json"), "{}");
    writeFileSync(join(cage.root, ".claw.json"), "{}");
    const before = readFileSync(join(cage.root, ".git", "config"), "utf8");
    const { output } = run(
      cage,
      `for f in .claw/settings.json .claw.json .git/hooks/pre-commit .git/config .claw/new; do echo evil > $f; done
       mv .git .git2; mv .claw .claw2; rm -rf .claw .git/hooks; git config core.fsmonitor evil; echo done`,
    );
    expect(output).toContain("done");
    expect(readFileSync(join(cage.root, ".claw", "settings.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(cage.root, ".claw.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(cage.root, ".git", "config"), "utf8")).toBe(before);
    for (const name of [".git/hooks/pre-commit", ".claw/new", ".git2", ".claw2"]) {
      expect(existsSync(join(cage.root, name))).toBe(false);
    }
  });

  test("is taken away when it appears, and that is said", () => {
    const cage = openCage(onTestFinished);
    expect(run(cage, "echo '{}' > .claw.json; ln -s /tmp .git").removed.toSorted()).toEqual([".claw.json", ".git"]);
    expect(existsSync(join(cage.root, ".claw.json"))).toBe(false);
    git(cage.root, "init", "-q");
    expect(run(cage, "echo /tmp > .git/commondir; echo x > .git/config.worktree").removed.toSorted()).toEqual([
      ".git/commondir",
      ".git/config.worktree",
    ]);
  });

  test("of a new repository stays only when it starts nothing", () => {
    const cage = openCage(onTestFinished);
    expect(run(cage, "git init -q && git status -sb").removed).toEqual([".git/hooks"]);
    expect(existsSync(join(cage.root, ".git", "HEAD"))).toBe(true);
    const other = openCage(onTestFinished);
    expect(run(other, "git init -q && git config core.fsmonitor ./evil").removed).toContain(".git");
    expect(existsSync(join(other.root, ".git"))).toBe(false);
  });

  test("a link in its place is put back", () => {
    const cage = openCage(onTestFinished);
    symlinkSync("elsewhere", join(cage.root, ".claw.json"));
    expect(run(cage, "rm .claw.json; echo '{}' > .claw.json").removed).toEqual([".claw.json"]);
    expect(existsSync(join(cage.root, ".claw.json"))).toBe(false);
  });
});

describe("git", () => {
  test("commits in the sandbox", () => {
    const cage = openCage(onTestFinished);
    git(cage.root, "init", "-q");
    const commit = "git -c user.name=t -c user.email=t@example.com commit -qm one";
    expect(run(cage, `echo x > a && git add a && ${commit} && git log --format=%s`)).toMatchObject({ output: "one\n" });
  });

  test("reads the repository of a worktree, and a file that only claims to be one opens nothing", () => {
    const cage = openCage(onTestFinished);
    const main = join(cage.outside, "main");
    mkdirSync(main);
    git(main, "init", "-q");
    git(main, "commit", "-q", "--allow-empty", "-m", "one");
    const tree = join(cage.root, "tree");
    git(main, "worktree", "add", "-q", tree);
    const inTree = { ...cage, root: tree, workspace: { root: tree, extraFolders: [] } };
    expect(run(inTree, "git log --format=%s; echo x > ../../outside/main/.git/planted")).toMatchObject({
      output: expect.stringMatching(/^one\n/),
    });
    expect(existsSync(join(main, ".git", "planted"))).toBe(false);
    writeFileSync(join(cage.root, ".git"), `gitdir: ${cage.outside}\n`);
    expect(run(cage, `cat ${cage.canary}`).output).not.toContain(CANARY);
  });
});

describe("the sandbox", () => {
  test("is off when the settings say so, and not for the whole disk", () => {
    const { workspace } = openCage(onTestFinished);
    expect(probeSandbox({ workspace, env: process.env, preference: "off" }).kind).toBe("unavailable");
    expect(probeSandbox({ workspace: { root: "/", extraFolders: [] }, env: process.env }).kind).toBe("unavailable");
  });

  test("gives further folders the same rights", () => {
    const cage = openCage(onTestFinished);
    const workspace = { root: cage.root, extraFolders: [cage.outside] };
    expect(run({ ...cage, workspace }, `cat ${cage.canary} && touch ${cage.outside}/planted`).output).toBe(CANARY);
    expect(existsSync(join(cage.outside, "planted"))).toBe(true);
  });

  test("works for folders with spaces and odd names, and for files nobody may write", () => {
    const cage = openCage(onTestFinished);
    const root = join(cage.root, "a b --bind $x");
    mkdirSync(root);
    writeFileSync(join(root, "f"), "x");
    chmodSync(join(root, "f"), 0o400);
    expect(run({ ...cage, root, workspace: { root, extraFolders: [] } }, "cat f; pwd").output).toBe(`x${root}\n`);
  });
});
