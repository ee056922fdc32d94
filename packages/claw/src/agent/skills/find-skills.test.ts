import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findSkills } from "./find-skills.ts";

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo.\n`;

function prepare(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder(onTestFinished);
  mkdirSync(join(base, "repo/.git"), { recursive: true });
  mkdirSync(join(base, "repo/sub"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  const find = async (cwd = "repo/sub") => {
    const { skills, problems } = await findSkills({ cwd: join(base, cwd), configHome: join(base, "home") });
    return {
      skills: skills.map(({ name, description, path, source }) => [
        name,
        description,
        path.slice(base.length + 1),
        source,
      ]),
      problems: problems.map((problem) => problem.replaceAll(`${base}/`, "")),
    };
  };
  return { base, find };
}

test("skills are found in the working folder, the project and the user's own folder, by name", async () => {
  const { find } = prepare({
    "repo/sub/.claw/skills/near/SKILL.md": skill("near", "n"),
    "repo/.claude/skills/other/SKILL.md": skill("other", "o"),
    "repo/.claw/skills/folder-name/SKILL.md": "Just text.",
    "home/skills/mine/SKILL.md": skill("a-mine", "m"),
    "repo/.claw/skills/empty/README.md": "x",
    "repo/.claw/skills/file.md": "x",
  });
  expect(await find()).toEqual({
    skills: [
      ["a-mine", "m", "home/skills/mine/SKILL.md", "user"],
      ["folder-name", "Just text.", "repo/.claw/skills/folder-name/SKILL.md", "project"],
      ["near", "n", "repo/sub/.claw/skills/near/SKILL.md", "project"],
      ["other", "o", "repo/.claude/skills/other/SKILL.md", "project"],
    ],
    problems: [],
  });
});

test("of one name the nearest counts, the project's before the user's", async () => {
  const { find } = prepare({
    "repo/sub/.claude/skills/x/SKILL.md": skill("Release", "near"),
    "repo/.claw/skills/x/SKILL.md": skill("release", "root"),
    "home/skills/x/SKILL.md": skill("release", "mine"),
  });
  expect((await find()).skills).toEqual([["Release", "near", "repo/sub/.claude/skills/x/SKILL.md", "project"]]);
  expect((await find("repo")).skills).toEqual([["release", "root", "repo/.claw/skills/x/SKILL.md", "project"]]);
  expect((await find("home")).skills).toEqual([["release", "mine", "home/skills/x/SKILL.md", "user"]]);
});

test("what cannot be used is left out and said", async () => {
  const { base, find } = prepare({
    "outside/SKILL.md": skill("stolen", "s"),
    "repo/.claw/skills/big/SKILL.md": "x".repeat(LIMITS.skillBytes + 1),
    "repo/.claw/skills/binary/SKILL.md": "a\0b",
    "repo/.claw/skills/odd name!/SKILL.md": skill("two words", "o"),
    "repo/.claw/skills/fine/SKILL.md": skill("two words", "f"),
  });
  symlinkSync(join(base, "outside"), join(base, "repo/.claw/skills/link"));
  expect(await find()).toEqual({
    skills: [["fine", "f", "repo/.claw/skills/fine/SKILL.md", "project"]],
    problems: [
      `repo/.claw/skills/big/SKILL.md is left out: it is larger than ${LIMITS.skillBytes} bytes`,
      "repo/.claw/skills/binary/SKILL.md is left out: it is no text",
      "repo/.claw/skills/link/SKILL.md is left out: it is outside of repo",
      "repo/.claw/skills/odd name!/SKILL.md is left out: its name is no name for a skill",
    ],
  });
});

test("more than a limit are not offered", async () => {
  const names = Array.from({ length: LIMITS.skills + 1 }, (_, index) => `repo/.claw/skills/s${index}/SKILL.md`);
  const { find } = prepare(Object.fromEntries(names.map((name) => [name, "Do."])));
  const { skills, problems } = await find();
  expect([skills.length, problems.length]).toEqual([LIMITS.skills, 1]);
});

test("without any there are none", async () => {
  expect(await findSkills({ cwd: temporaryFolder(onTestFinished), configHome: null })).toEqual({
    skills: [],
    problems: [],
  });
});

test("a skill whose front matter is no YAML is used, and told of", async () => {
  const { find } = prepare({ "repo/.claw/skills/odd/SKILL.md": skill("odd", "when: always") });
  expect(await find("repo")).toEqual({
    skills: [["odd", "when: always", "repo/.claw/skills/odd/SKILL.md", "project"]],
    problems: [
      "the front matter of repo/.claw/skills/odd/SKILL.md is no YAML: line 3: Nested mappings are not allowed in compact mappings",
    ],
  });
});

test("all front matters together are read up to a limit", async () => {
  const count = Math.ceil(LIMITS.skillHeadsChars / 8000) + 1;
  const long = skill("x", `"\\x41" #${"z".repeat(7980)}`);
  const names = Array.from({ length: count }, (_, index) => `repo/.claw/skills/s${index + 100}/SKILL.md`);
  const { find } = prepare(
    Object.fromEntries(names.map((name, index) => [name, long.replace("name: x", `name: n${index + 100}`)])),
  );
  const { skills, problems } = await find("repo");
  expect([skills.length, skills[0]?.[1], problems.length]).toEqual([count, "A", 2]);
  expect(problems[0]).toMatch(/is no YAML: it is too long to be read$/);
});
