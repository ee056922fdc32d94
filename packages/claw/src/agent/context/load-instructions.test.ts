import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { loadInstructions } from "./load-instructions.ts";

function prepare(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder(onTestFinished);
  mkdirSync(join(base, "repo/.git"), { recursive: true });
  mkdirSync(join(base, "repo/a/b"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  const load = () => {
    const { files: found, problems } = loadInstructions({
      cwd: join(base, "repo/a/b"),
      configHome: join(base, "home"),
    });
    return {
      files: found.map(({ path, text }) => [path.slice(base.length + 1), text] as const),
      problems: problems.map((problem) => problem.replaceAll(`${base}/`, "")),
    };
  };
  return { base, load };
}

test("files are read from the user's own to the root and down to the working folder", () => {
  const names = [
    "home/AGENTS.md",
    "home/CLAUDE.md",
    "repo/AGENTS.md",
    "repo/CLAUDE.md",
    "repo/CLAUDE.local.md",
    "repo/.claw/CLAUDE.md",
    "repo/a/AGENTS.md",
    "repo/a/b/CLAUDE.md",
  ];
  const others = {
    "AGENTS.md": "above the repository",
    "home/CLAUDE.local.md": "x",
    "repo/README.md": "x",
    "repo/a/b/c/AGENTS.md": "below",
  };
  const { load } = prepare({ ...others, ...Object.fromEntries(names.map((name) => [name, `\uFEFF of ${name}\n`])) });
  expect(load()).toEqual({ files: names.map((name) => [name, `of ${name}`]), problems: [] });
});

test("the same text counts once, and an empty one not at all", () => {
  const { load } = prepare({ "repo/AGENTS.md": "same\n", "repo/CLAUDE.md": "\nsame", "repo/a/AGENTS.md": " \n" });
  expect(load()).toEqual({ files: [["repo/AGENTS.md", "same"]], problems: [] });
});

test("a long file is cut and says so, and what does not fit any more is left out", () => {
  const long = (mark: string) => mark.repeat(LIMITS.instructionChars + 10);
  const { load } = prepare({
    "home/AGENTS.md": long("1"),
    "repo/AGENTS.md": long("2"),
    "repo/a/AGENTS.md": "3".repeat(LIMITS.instructionChars - 5),
    "repo/a/b/AGENTS.md": "456789",
    "repo/a/b/CLAUDE.md": "late",
  });
  const { files, problems } = load();
  const note = (count: number) => `\n[${count} more characters of this file are left out]`;
  expect(files.map(([, text]) => text)).toEqual([
    "1".repeat(LIMITS.instructionChars) + note(10),
    "2".repeat(LIMITS.instructionChars) + note(10),
    "3".repeat(LIMITS.instructionChars - 5),
    `45678${note(1)}`,
  ]);
  expect(problems).toEqual(["repo/a/b/CLAUDE.md is left out: instructions before it have 12000 characters"]);
});

test("a link may lead elsewhere in the project, but not out of it", () => {
  const { base, load } = prepare({
    "repo/AGENTS.md": "inside",
    "secret.txt": "outside",
    "folder/CLAUDE.md": "outside too",
  });
  symlinkSync(join(base, "repo/AGENTS.md"), join(base, "repo/a/AGENTS.md"));
  symlinkSync("../../AGENTS.md", join(base, "repo/a/b/AGENTS.md"));
  symlinkSync(join(base, "secret.txt"), join(base, "repo/a/CLAUDE.md"));
  symlinkSync(join(base, "folder"), join(base, "repo/.claw"));
  symlinkSync("CLAUDE.md", join(base, "repo/CLAUDE.md"));
  expect(load()).toEqual({
    files: [["repo/AGENTS.md", "inside"]],
    problems: [
      "repo/.claw/CLAUDE.md is left out: it is outside of repo",
      "repo/a/CLAUDE.md is left out: it is outside of repo",
    ],
  });
});

test("the user's own file may be a link to anywhere", () => {
  const { base, load } = prepare({ "dotfiles/agents.md": "mine" });
  mkdirSync(join(base, "home"));
  symlinkSync(join(base, "dotfiles/agents.md"), join(base, "home/AGENTS.md"));
  expect(load().files).toEqual([["home/AGENTS.md", "mine"]]);
});

test("what is no text, no file or too large is left out and said", () => {
  const { base, load } = prepare({
    "repo/AGENTS.md": "a\0b",
    "repo/a/AGENTS.md": "x".repeat(LIMITS.instructionBytes + 1),
  });
  mkdirSync(join(base, "repo/CLAUDE.md"));
  expect(load()).toEqual({
    files: [],
    problems: [
      "repo/AGENTS.md is left out: it is no text",
      "repo/CLAUDE.md is left out: it is no regular file",
      `repo/a/AGENTS.md is left out: it is larger than ${LIMITS.instructionBytes} bytes`,
    ],
  });
});

test("without a home there are the project's", () => {
  const { base } = prepare({ "repo/AGENTS.md": "x" });
  expect(loadInstructions({ cwd: join(base, "repo"), configHome: null }).files).toHaveLength(1);
});
