import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { WorkerCage } from "./testing/worker-cage.ts";
import { askGit, openWorkerCage } from "./testing/worker-cage.ts";

interface Attack {
  readonly before?: (cage: WorkerCage) => void;
  /** `$G` is the private folder of git, `$BASE` the commit of the person, `$OUT` a folder that must not be reached. */
  readonly script: string;
  /** What is said of the commits; none when nothing was wrong with them. */
  readonly note: RegExp | null;
}

const COMMIT = "echo b > b; git add b; git commit -q -m two";
const EVIL = `printf '#!/bin/sh\\necho x > %s/ran\\ncat\\n' "$OUT" > evil; chmod +x evil; EVIL=$PWD/evil`;

/** A repository of the person's beside the workspace, with a commit that nobody else has. */
function makeSecret({ cage }: WorkerCage): void {
  const place = join(cage.outside, "secret");
  mkdirSync(place);
  askGit(place, "init", "-q", "-b", "main");
  writeFileSync(join(place, "key"), "secret\n");
  askGit(place, "add", "key");
  askGit(place, "commit", "-q", "-m", "secret");
  writeFileSync(join(cage.root, "a"), askGit(place, "rev-parse", "HEAD"));
  askGit(cage.root, "commit", "-q", "-a", "-m", "name of a foreign commit");
  askGit(join(cage.root, ".claws", "worktrees", "w"), "reset", "-q", "--hard", "main");
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "a branch that is a link out of the folder": {
    script: `${COMMIT}; rm $G/refs/heads/claw/w; ln -s $OUT/canary $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "a folder of branches that is a link": {
    script: `${COMMIT}; mv $G/refs/heads/claw $G/x; ln -s $OUT $G/refs/heads/claw; git update-ref refs/heads/claw/w HEAD`,
    note: /not taken/,
  },
  "commits on the person's branch": {
    script: `git symbolic-ref HEAD refs/heads/main; ${COMMIT}`,
    note: /git is not on claw\/w/,
  },
  "alternates that lead to another repository": {
    before: makeSecret,
    script: `echo $OUT/secret/.git/objects >> $G/objects/info/alternates; cat a > $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "a link to the objects of another repository": {
    before: makeSecret,
    script: `rm -rf $G/objects/pack; ln -s $OUT/secret/.git/objects/pack $G/objects/pack; mv $G/objects $G/o; ln -s $OUT/secret/.git/objects $G/objects; cat a > $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "history without the person's": {
    script: `${COMMIT}; git update-ref refs/heads/claw/w $(git commit-tree -m orphan HEAD^{tree})`,
    note: /does not follow/,
  },
  "a tree that writes into the folder of git": {
    script: `h=$(printf 'x' | git hash-object -w --stdin); t=$(printf "100755 blob $h\\tpre-commit\\n" | git mktree)
      d=$(printf "040000 tree $t\\thooks\\n" | git mktree); r=$(printf "040000 tree $d\\t.git\\n" | git mktree)
      git update-ref refs/heads/claw/w $(git commit-tree -p HEAD -m x $r)`,
    note: /not sound/,
  },
  "an object whose name is another's": {
    script: `${COMMIT}; b=$(git rev-parse HEAD:b); f=$G/objects/\${b:0:2}/\${b:2}; o=$(printf other | git hash-object -w --stdin)
      chmod +w $f; cp $G/objects/\${o:0:2}/\${o:2} $f`,
    note: /not taken/,
  },
  "a broken object": {
    script: `${COMMIT}; t=$(git rev-parse HEAD^{tree}); f=$G/objects/\${t:0:2}/\${t:2}; chmod +w $f; echo broken > $f`,
    note: /not taken/,
  },
  "a broken pack": {
    script: `${COMMIT}; git repack -qad; for p in $G/objects/pack/*.pack; do chmod +w $p; dd if=/dev/zero of=$p bs=1 seek=20 count=30 conv=notrunc 2>/dev/null; done`,
    note: /not taken/,
  },
  "missing objects": {
    script: `${COMMIT}; b=$(git rev-parse HEAD:b); rm -f $G/objects/\${b:0:2}/\${b:2}`,
    note: /not taken/,
  },
  "a branch that is no commit": {
    script: `git rev-parse HEAD^{tree} > $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "a branch that is text": {
    script: `echo '--upload-pack=evil; $(touch x)' > $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "a pipe in the place of the branch": {
    script: `rm $G/refs/heads/claw/w; mkfifo $G/refs/heads/claw/w`,
    note: /not taken/,
  },
  "objects that stand for others": {
    script: `${COMMIT}; o=$(git commit-tree -m orphan HEAD^{tree}); git replace $o HEAD; git update-ref refs/heads/claw/w $o`,
    note: /does not follow/,
  },
};

test.each(Object.entries(ATTACKS))(
  "is refused, and said: %s",
  async (_, { before, script, note }) => {
    const opened = openWorkerCage(onTestFinished);
    before?.(opened);
    const { run, ask, cage, tree } = opened;
    const [main, tip] = [ask("rev-parse", "main"), ask("rev-parse", "claw/w")];
    const { notes } = await run(`G=${tree.own}; OUT=${cage.outside}; BASE=${tip}\n${script}`);
    expect(notes.join("\n")).toMatch(note ?? /^$/);
    expect([ask("rev-parse", "main"), ask("rev-parse", "claw/w")]).toEqual([main, tip]);
    expect(ask("for-each-ref", "--format=%(refname)")).toBe("refs/heads/claw/w\nrefs/heads/main");
    // Nothing that was refused is left in the repository.
    expect(ask("fsck", "--strict", "--unreachable", "--no-reflogs")).toBe("");
    expect(cage.unharmed()).toBe(true);
  },
  120_000,
);

const PROGRAMS: Readonly<Record<string, string>> = {
  "a hook": `mkdir -p hooks; cp evil hooks/post-commit; cp evil hooks/reference-transaction; cp evil hooks/post-index-change; printf 'gitdir: x' > x
    mkdir $G/own; cp $G/config $G/own/config; printf '[core]\\nhooksPath = %s/hooks\\nfsmonitor = %s\\n' "$PWD" "$EVIL" >> $G/own/config; echo own > $G/commondir`,
  "settings of the worktree": `printf '[core]\\nworktree = /\\nfsmonitor = %s\\nalternateRefsCommand = %s\\n[extensions]\\nworktreeConfig = true\\n' "$EVIL" "$EVIL" > $G/config.worktree`,
  "a filter that the person's settings name": `echo '* filter=x' > .gitattributes; git add .gitattributes; git commit -q -m attributes`,
  "a repository in the tree": `git init -q sub; git -C sub -c user.name=t -c user.email=t commit -q --allow-empty -m x; git -C sub config core.fsmonitor "$EVIL"; git add sub; git commit -q -m sub`,
};

test.each(Object.entries(PROGRAMS))(
  "no program of the worker's is started outside: %s",
  async (_, script) => {
    const { run, ask, cage, tree } = openWorkerCage(onTestFinished);
    for (const key of ["filter.x.clean", "filter.x.smudge"]) ask("config", key, join(tree.root, "evil"));
    const prelude = `G=${tree.own}; OUT=${cage.outside}; ${EVIL}; ${COMMIT}`;
    const first = await run(`${prelude}\n${script}`);
    expect(first.notes).toEqual([]);
    await run("echo c > c; git add c; git commit -q -m three");
    expect(ask("log", "--format=%s", "claw/w")).toContain("two");
    expect(existsSync(join(cage.outside, "ran"))).toBe(false);
    expect(existsSync(join(tree.own, "commondir")) && readFileSync(join(tree.own, "commondir"), "utf8")).toBe(
      "../..\n",
    );
    expect(cage.unharmed()).toBe(true);
  },
  120_000,
);
