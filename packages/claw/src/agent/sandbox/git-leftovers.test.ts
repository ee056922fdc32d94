import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandEnvironment } from "./command-environment.ts";
import type { Cage } from "./testing/workspace-with-canary.ts";
import { needSandbox, openCage } from "./testing/workspace-with-canary.ts";

/** As a user runs git, with no settings of their own. */
function git(cwd: string, ...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  spawnSync("git", [...identity, ...args], { cwd, env });
}

function makeRepository({ root }: Cage): void {
  git(root, "init", "-q");
  writeFileSync(join(root, "a"), "a\n");
  git(root, "add", "a");
  git(root, "commit", "-q", "-m", "one");
}

/** Runs a script in the sandbox, with a program `evil` in the workspace; gives what was moved away or told. */
function run({ root, workspace, outside }: Cage, script: string): { removed: string[]; notes: readonly string[] } {
  writeFileSync(join(root, "evil"), `#!/bin/sh\necho x > ${outside}/ran\ncat\n`, { mode: 0o755 });
  const sandbox = needSandbox(workspace);
  const watch = sandbox.guard({ cwd: root, writable: true });
  const prelude = `set +e; EVIL=${root}/evil; export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t`;
  const [file, ...args] = sandbox.wrap(["bash", "-c", `${prelude}\n${script}`], watch.confinement);
  const env = commandEnvironment({ env: process.env, workspace, manner: "confined" });
  spawnSync(file, args, { env, encoding: "utf8" });
  const { removed, notes } = watch.settle();
  return { removed: removed.map(({ path }) => path.slice(root.length + 1)), notes };
}

/** What a user does next, in every folder that could be a repository. */
function useGit({ root }: Cage): void {
  for (const folder of [root, join(root, "sub"), join(root, "deep", "er", "sub")].filter((path) => existsSync(path))) {
    writeFileSync(join(folder, "a"), `${Math.random()}\n`);
    git(folder, "status");
    git(folder, "commit", "-q", "--all", "--allow-empty", "-m", "two");
  }
}

const NESTED = "git init -q sub && git -C sub commit -q --allow-empty -m one";
const HOOK = `printf '#!/bin/sh\\n%s\\n' "$EVIL" > hook; chmod +x hook`;

interface Attack {
  readonly before?: (cage: Cage) => void;
  readonly script: string;
  readonly removed: readonly string[];
}

const configure = (cage: Cage, text: string): void =>
  writeFileSync(join(cage.root, ".git", "config"), `[core]\n\tbare = false\n${text}`);

const nest = (cage: Cage): void => {
  mkdirSync(join(cage.root, "sub"));
  git(join(cage.root, "sub"), "init", "-q");
  git(join(cage.root, "sub"), "commit", "-q", "--allow-empty", "-m", "one");
  git(cage.root, "add", "sub");
};

const ATTACKS: Readonly<Record<string, Attack>> = {
  "a repository below with a monitor, in the index": {
    script: `${NESTED}; git -C sub config core.fsmonitor "$EVIL"; git add sub`,
    removed: ["sub/.git"],
  },
  "one with a hook": {
    script: `${NESTED}; ${HOOK}; mv hook sub/.git/hooks/pre-commit`,
    removed: ["sub/.git"],
  },
  "one with an included file": {
    script: `${NESTED}; git -C sub config include.path ../../more; git config -f more core.fsmonitor "$EVIL"; git add sub`,
    removed: ["sub/.git"],
  },
  "one in a folder that nothing can be moved out of": {
    script: `mkdir -p deep/er; cd deep/er; ${NESTED}; git -C sub config core.fsmonitor "$EVIL"; chmod 0555 sub`,
    removed: ["deep/er/sub/.git"],
  },
  "a change of one that was there": {
    before: nest,
    script: `git -C sub config core.fsmonitor "$EVIL"; ${HOOK}; mv hook sub/.git/hooks/pre-commit`,
    removed: ["sub/.git/config", "sub/.git/hooks/pre-commit"],
  },
  "another in the place of one that was there": {
    before: nest,
    script: `mv sub old; ${NESTED}; git -C sub config core.fsmonitor "$EVIL"`,
    removed: ["sub/.git/config"],
  },
  "a link to a repository": {
    script: `${NESTED}; mv sub/.git real; git config -f real/config core.fsmonitor "$EVIL"; ln -s ../real sub/.git; git add sub`,
    removed: ["sub/.git", "real/HEAD"],
  },
  "a file that names a repository, with a line end of another system": {
    script: `${NESTED}; mv sub/.git real; git config -f real/config core.fsmonitor "$EVIL"; printf 'gitdir: ../real\\r\\n' > sub/.git`,
    removed: ["sub/.git", "real/HEAD"],
  },
  "a repository that is its own folder": {
    script: `git init -q --bare sub; git -C sub config core.bare false; git -C sub config core.worktree ..; git -C sub config core.fsmonitor "$EVIL"`,
    removed: ["sub/HEAD"],
  },
  "a repository of a submodule": {
    script: `${NESTED}; git add sub; mkdir .git/modules; mv sub/.git .git/modules/sub; echo "gitdir: ../.git/modules/sub" > sub/.git
      git config -f .git/modules/sub/config core.fsmonitor "$EVIL"; git config -f .git/modules/sub/config core.worktree ../../../sub`,
    removed: [".git/modules", "sub/.git"],
  },
  "settings where there were none": {
    before: (cage) => rmSync(join(cage.root, ".git", "config")),
    script: `git config -f .git/config core.fsmonitor "$EVIL"`,
    removed: [".git/config"],
  },
  "settings in the place of a link": {
    before: ({ root }) => {
      renameSync(join(root, ".git", "config"), join(root, "settings"));
      symlinkSync("../settings", join(root, ".git", "config"));
    },
    script: `git config -f settings core.fsmonitor "$EVIL"; rm .git/config; git config -f .git/config core.fsmonitor "$EVIL"`,
    removed: [".git/config"],
  },
  "a change of a file that the settings include": {
    before: (cage) => {
      configure(cage, "[include]\n\tpath = ../shared.config\n");
      writeFileSync(join(cage.root, "shared.config"), "[user]\n\tname = t\n");
    },
    script: `git config -f shared.config core.fsmonitor "$EVIL"; rm shared.config; git config -f shared.config core.fsmonitor "$EVIL"`,
    removed: [],
  },
  "a file that the settings include and that was not there": {
    before: (cage) => configure(cage, '[includeIf "gitdir:**"] path = "../shared.config" ; ours\n'),
    script: `git config -f shared.config core.fsmonitor "$EVIL"`,
    removed: ["shared.config"],
  },
  "a hook in a folder of the tree that the settings name": {
    before: (cage) => {
      configure(cage, "\thooksPath = .husky/_\n");
      mkdirSync(join(cage.root, ".husky", "_"), { recursive: true });
    },
    script: `${HOOK}; cp hook .husky/_/pre-commit; cp hook .husky/pre-commit; mv .husky x; mkdir -p .husky/_; cp hook .husky/_/pre-commit`,
    removed: [],
  },
  "a folder of hooks that the settings name and that was not there": {
    before: (cage) => configure(cage, "\thooksPath = .githooks\n"),
    script: `${HOOK}; mkdir .githooks; cp hook .githooks/pre-commit`,
    removed: [".githooks"],
  },
  "a change of a program that the settings name": {
    before: (cage) => {
      configure(cage, '[filter "x"]\n\tclean = ./tools/clean.sh %f\n');
      mkdirSync(join(cage.root, "tools"));
      writeFileSync(join(cage.root, "tools", "clean.sh"), "#!/bin/sh\ncat\n", { mode: 0o755 });
      writeFileSync(join(cage.root, ".git", "info", "attributes"), "a filter=x\n");
    },
    script: `cp evil tools/clean.sh; rm -rf tools; mkdir tools; cp evil tools/clean.sh`,
    removed: [],
  },
  "settings of a repository that is kept elsewhere in the tree": {
    before: ({ root }) => {
      renameSync(join(root, ".git"), join(root, "kept"));
      writeFileSync(join(root, ".git"), "gitdir: kept\n");
    },
    script: `git config -f kept/config core.fsmonitor "$EVIL"; echo "[core] fsmonitor = $EVIL" > kept/config.worktree; git config core.fsmonitor "$EVIL"`,
    removed: ["kept/config.worktree"],
  },
};

test.each(Object.entries(ATTACKS))("a command leaves nothing for the user's git to run: %s", (_, attack) => {
  const cage = openCage(onTestFinished);
  makeRepository(cage);
  attack.before?.(cage);
  const { removed } = run(cage, attack.script);
  useGit(cage);
  expect(existsSync(join(cage.outside, "ran"))).toBe(false);
  expect(removed.toSorted()).toEqual(attack.removed.toSorted());
});

test("what a repository below was before a command stands there again", () => {
  const cage = openCage(onTestFinished);
  makeRepository(cage);
  nest(cage);
  const config = join(cage.root, "sub", ".git", "config");
  const before = readFileSync(config, "utf8");
  run(cage, `git -C sub config core.fsmonitor "$EVIL"`);
  expect(readFileSync(config, "utf8")).toBe(before);
});

test("repositories that start nothing can be made, moved and removed", () => {
  const cage = openCage(onTestFinished);
  makeRepository(cage);
  nest(cage);
  const other = join(cage.root, "other");
  mkdirSync(other);
  git(other, "init", "-q");
  writeFileSync(join(other, ".git", "hooks", "pre-commit"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const script = "git init -q fresh; git -C fresh config user.name t; mv other moved; rm -rf sub";
  expect(run(cage, script)).toEqual({ removed: [], notes: [] });
  const there = ["fresh/.git/config", "moved/.git/hooks/pre-commit", "sub", "other"];
  expect(there.map((name) => existsSync(join(cage.root, name)))).toEqual([true, true, false, false]);
});
