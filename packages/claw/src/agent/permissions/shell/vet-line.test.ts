import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { Objection } from "./vet-paths.ts";
import { splitCommand } from "./split-command.ts";
import { vetLine } from "./vet-line.ts";

function open(): string {
  const root = temporaryFolder(onTestFinished);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a"), "a\n");
  return root;
}

/** Vets a line in which the first words of a command are named by rules. */
function vet(root: string, command: string, named: readonly string[] = []): Objection {
  const line = splitCommand(command);
  if (line.kind === "complex") return line.why;
  const context = { workspace: { root, extraFolders: [] }, cwd: root, isWritable: true };
  return vetLine(line.segments, context, ({ words }) => named.includes(words[0]));
}

describe("a command that changes files", () => {
  test.each(["rm src/a", "ls src && rm src/a", "cat src/a | wc -l; rm src/a", "cd src && rm a", "false || touch x"])(
    "stands alone or last: %s",
    (command) => {
      expect(vet(open(), command)).toBeNull();
    },
  );

  test.each([
    ["mkdir x && ls", "mkdir changes files before the rest of the line has run"],
    ["mkdir x; touch x/y", "mkdir changes files before the rest of the line has run"],
    ["touch x || true", "touch changes files before the rest of the line has run"],
    ["rm src/a\nls", "rm changes files before the rest of the line has run"],
    ["rm src/a | ls", "rm changes files before the rest of the line has run"],
    ["ls && mkdir x && ls", "mkdir changes files before the rest of the line has run"],
    ["cat x | touch x", "touch changes files in a pipe"],
    ["cd src && cat a | rm a", "rm changes files in a pipe"],
  ])("stands nowhere else: %j", (command, why) => {
    expect(vet(open(), command)).toBe(why);
  });
});

describe("beside and behind a command that a rule names", () => {
  test.each([
    "make",
    "make && make",
    "make; ls",
    "make | tail -n 5",
    "make && echo done",
    "ls src && make",
    "make; ls -R",
  ])("others that name no files may run: %s", (command) => {
    expect(vet(open(), command, ["make"])).toBeNull();
  });

  test.each([
    ["make && cat src/a", "src/a may be another file by then"],
    ["make; ls src", "src may be another file by then"],
    ["make | cat src/a", "src/a may be another file by then"],
    ["cat src/a | make", "src/a may be another file by then"],
    ["make && find src -name x", "src may be another file by then"],
    ["make && git status", "it asks git behind a command that could change the repository"],
    ["make && rm src/a", "rm changes files"],
    ["make && grep a src/a", "src/a may be another file by then"],
    ["make && make && cat src/a", "src/a may be another file by then"],
  ])("others may not: %s", (command, why) => {
    expect(vet(open(), command, ["make"])).toBe(why);
  });

  test.each(["cd", "pushd", "export", "source", ".", "eval", "alias", "hash", "set", "exec", "printf"])(
    "nothing runs that %s could have made another command or put into another folder",
    (name) => {
      expect(vet(open(), `${name} x; ls`, [name])).toBe("ls may be another command by then");
      expect(vet(open(), `${name} x; make`, [name, "make"])).toBeNull();
      expect(vet(open(), `ls; ${name} x`, [name])).toBeNull();
    },
  );

  test("a command that changes files is one of them when a rule names it", () => {
    expect(vet(open(), "rm x && make", ["rm", "make"])).toBeNull();
    expect(vet(open(), "rm x && ls", ["rm"])).toBeNull();
    expect(vet(open(), "rm x && cat src/a", ["rm"])).toBe("src/a may be another file by then");
  });
});

describe("a folder that the line changes into", () => {
  test("is followed where the rest depends on it", () => {
    const root = open();
    mkdirSync(join(root, "src", "deep"));
    writeFileSync(join(root, "src", "deep", "b"), "");
    expect(vet(root, "cd src && cd deep && cat ../../src/a")).toBeNull();
    expect(vet(root, "cd src && cat ../../x")).toBe("../../x is outside of the workspace");
  });

  test.each(["cd .. && ls", "cd && ls", "cd -P && ls", "cd src deep && ls", "cd link && ls", "cd link/../.. && ls"])(
    "is refused where it is not known to be in the workspace: %s",
    (command) => {
      const root = open();
      symlinkSync("/", join(root, "link"));
      expect(vet(root, command)).toBe("it changes into a folder that is not known to be in the workspace");
    },
  );

  test("is refused where shell and kernel disagree over it", () => {
    const root = open();
    mkdirSync(join(root, "src", "deep", "er"), { recursive: true });
    symlinkSync("src/deep/er", join(root, "link"));
    expect(vet(root, "cd link/.. && ls")).toBe("it changes into a folder that is not known to be in the workspace");
    expect(vet(root, "cd link && ls")).toBeNull();
  });

  test.each(["cd src", "cd src; ls", "cd src || ls", "ls && cd src && ls", "cd src && cd src"])(
    "is no harmless command by itself: %s",
    (command) => {
      expect(vet(open(), command)).toMatch(/^cd is not among the commands/);
    },
  );
});
