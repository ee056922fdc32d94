import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { splitCommand } from "./split-command.ts";
import { vetLine } from "./vet-line.ts";

function open(): string {
  const root = temporaryFolder(onTestFinished);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.ts"), "a\n");
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git", "config"), "[core]\n\tbare = false\n");
  return root;
}

function vet(root: string, command: string, isWritable = true): string | null {
  const line = splitCommand(command);
  if (line.kind === "complex") return line.why;
  return vetLine(line.segments, { workspace: { root, extraFolders: [] }, cwd: root, isWritable });
}

describe("a command that is known to be harmless", () => {
  test.each([
    "ls -la src",
    "cat src/a.ts",
    "cd src && cat a.ts",
    "cd src && cd .. && ls",
    "head -n 5 src/a.ts",
    "head -20 src/a.ts | tail -n +3",
    "grep -rn 'foo.*bar' src",
    "grep -e foo -e bar src/a.ts",
    "rg -n --glob '*.ts' foo src",
    "find . -name '*.ts' -type f",
    "find src -maxdepth 2 -not -name '*.js' -print0",
    "wc -l src/a.ts && sort -u src/a.ts | uniq -c",
    "git status --short",
    "git --no-pager log --oneline -n 5",
    "git log -5 --format='%h %s' -- src",
    "git diff HEAD~1 -- src/a.ts",
    "git show HEAD:src/a.ts",
    "git branch --list 'x*'",
    "git branch --show-current",
    "git rev-parse --abbrev-ref HEAD",
    "git ls-files -m",
    "git blame -L 1,2 src/a.ts",
    "echo hello",
    "date +%s",
    "pwd; whoami; uname -a",
    "test -f src/a.ts && echo yes || echo no",
    "git diff -M -U5 --unified src/a.ts",
    "git status -uno src",
    "grep -L foo src/a.ts",
    "head src/a.ts -n 5",
  ])("runs in every mode: %s", (command) => {
    expect(vet(open(), command, false)).toBeNull();
  });

  test.each([
    "mkdir -p a/b",
    "touch new",
    "cp src/a.ts b.ts",
    "cp -r src copy",
    "cp -r src src/a.ts d",
    "mv src/a.ts src/b.ts",
    "rm -rf src",
    "ls src; test -f x || touch x",
  ])("changes the workspace where that is allowed: %s", (command) => {
    const root = open();
    expect(vet(root, command)).toBeNull();
    expect(vet(root, command, false)).not.toBeNull();
  });
});

describe("a command that is not known to be harmless", () => {
  test.each([
    "npm test",
    "./ls",
    "/bin/ls",
    "LS",
    "constructor",
    "git constructor",
    "date -s 2020-01-01",
    "date 010100002020",
    "tail -f src/a.ts",
    "cat /etc/passwd",
    "cat -- /etc/passwd",
    "head -n5 ../x",
    "grep x /etc/passwd",
    "grep -e x /etc/passwd",
    "grep x -- ../y",
    "rg --files /etc",
    "find / -name x",
    "find . -delete",
    "find . -fprint x",
    "find . -newer /etc/passwd",
    "find -H . -name x",
    "find . -files0-from x",
    "sort --compress-program=evil src/a.ts",
    "sort -T/x src/a.ts",
    "file -f src/a.ts",
    "diff src src",
    "diff -r src src",
    "git branch new",
    "git branch -D x",
    "git commit -m x",
    "git log --output=x",
    "git diff --ext-diff",
    "git log --format=%G?",
    "git --git-dir=/x log",
    "git --exec-path=/x log",
    "git -c a=b log",
    "git log -- /etc/passwd",
    "git diff ../x",
    "rm -rf .",
    "rm -rf ..",
    "mv src/a.ts ../x",
    "cp src/a.ts",
    "cp -t /tmp src/a.ts",
    "cp --target-directory=/tmp src/a.ts",
    "mkdir -m 777 x",
    "rm .git/config",
    "mv src .claw",
    "cd",
    "cd -",
    "cd src",
    "cd src; ls",
    "ls && cd src && ls",
    "ls x\\ y",
    "xargs rm",
    "sh -c ls",
  ])("is not vouched for: %s", (command) => {
    expect(vet(open(), command)).not.toBeNull();
  });

  test.each([
    '[core]\n\tfsmonitor = "./evil"\n',
    "[diff]\n\texternal = evil\n",
    '[diff "x"]\n\ttextconv = evil\n',
    '[filter "x"] clean = evil\n',
    "[include]\n\tpath = ../evil\n",
    "[core]\n\tfsm\\\nonitor = x\n",
    "[CORE]\n\tFSMonitor=x\n",
  ])("is git where the repository's settings start programs: %j", (settings) => {
    const root = open();
    writeFileSync(join(root, ".git", "config"), settings, { flag: "a" });
    expect(vet(root, "git status")).not.toBeNull();
  });

  test("is git where no repository is in the workspace, or one that sends git elsewhere", () => {
    const root = open();
    expect(vet(join(root, "src"), "git status")).not.toBeNull();
    writeFileSync(join(root, ".git", "commondir"), "/x\n");
    expect(vet(root, "git status")).not.toBeNull();
  });
});

describe("a flag that follows links, starts programs or writes files is not harmless", () => {
  test.each([
    "rg -L foo",
    "rg -nL foo src",
    "rg --follow foo",
    "rg -z foo",
    "rg --search-zip foo",
    "rg --pre cat foo",
    "rg --hostname-bin ls foo",
    "rg -f src/a.ts",
    "grep -R foo src",
    "grep --dereference-recursive foo src",
    "grep -d recurse foo src",
    "grep -f src/a.ts src",
    "find -L . -name x",
    "find . -follow",
    "find . -exec ls ;",
    "find . -ok ls ;",
    "find . -fls x",
    "ls -L src",
    "ls -H src",
    "ls --dereference src",
    "stat -L src",
    "file -L src/a.ts",
    "du -L src",
    "du -D src",
    "du --dereference src",
    "du --files0-from=src/a.ts",
    "sort -o x src/a.ts",
    "sort --output=x src/a.ts",
    "sort --files0-from=src/a.ts",
    "wc --files0-from=src/a.ts",
    "uniq src/a.ts x",
    "diff --to-file=src src/a.ts",
    "date -f src/a.ts",
    "date -r src/a.ts",
    "cp -L src/a.ts b",
    "cp -rL src b",
    "cp -H src/a.ts b",
    "cp -l src/a.ts b",
    "cp -s src/a.ts b",
    "cp --parents src/a.ts b",
    "cp --backup=t src/a.ts b",
    "mv -b src/a.ts b",
    "mv -t src src/a.ts",
    "touch -r src/a.ts b",
    "touch -h b",
    "tar -hcf b src",
    "ln -s src b",
    "git grep foo",
    "git diff --no-index src/a.ts src/b.ts",
  ])("%s", (command) => {
    expect(vet(open(), command)).not.toBeNull();
  });

  test.each(["-M", "-U", "--unified", "-p -M", "-M -U"])(
    "nor is a word behind git diff %s taken for its value, which it is not",
    (flags) => {
      const root = open();
      expect(vet(root, `git diff ${flags} ../outside src/a.ts`)).toBe("../outside is outside of the workspace");
    },
  );

  test.each(["head src/a.ts -n /etc/passwd", "cut src/a.ts -d /etc/passwd", "grep x src -e /etc/passwd", "rg x -g"])(
    "nor is a value that some programs would take for a file: %s",
    (command) => {
      expect(vet(open(), command)).not.toBeNull();
    },
  );
});

test("folders are not compared, however the way to them is written", () => {
  const root = open();
  for (const folder of ["d", "e", "other/d", "other/deep"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "f"), "");
  symlinkSync("other/deep", join(root, "link"));
  for (const command of ["diff d e", "diff f d", "diff link/../d f", "diff -N e other/d"]) {
    expect(vet(root, command)).toBe("it compares folders");
  }
  expect(vet(root, "diff f src/a.ts")).toBeNull();
  expect(vet(root, "diff ../x f")).toBe("../x is outside of the workspace");
});
