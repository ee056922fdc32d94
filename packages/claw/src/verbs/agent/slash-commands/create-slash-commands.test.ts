import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SLASH_COMMAND_NAMES } from "claw-contract";
import { describe, expect, test } from "vitest";
import { findCommand, requireCommand } from "./find-command.ts";
import { createSlashCommands } from "./create-slash-commands.ts";

const PAGE = fileURLToPath(new URL("../../../../../../docs/chat.md", import.meta.url));
const commands = createSlashCommands([]);

describe("the registry", () => {
  test("holds the commands that the command line knows by name, in order", () => {
    expect(commands.map(({ name }) => name)).toEqual([...SLASH_COMMAND_NAMES]);
  });

  test("says of each what it does in a sentence, and has a section in the page about them", () => {
    const vague = commands.filter(({ responsibility }) => !/^[A-Z].*\.$/.test(responsibility));
    expect(vague).toEqual([]);
    const sections = [...readFileSync(PAGE, "utf8").matchAll(/^### \/(.+)$/gm)].map(([, name = ""]) => name);
    expect(sections).toEqual(commands.map(({ name }) => name));
    expect(commands.map(({ sourceHint }) => sourceHint)).toEqual(sections.map((name) => `docs/chat.md#${name}`));
  });

  test("lists skills as commands of their own kind, and none in place of another", () => {
    const skill = { name: "review", description: "Reviews a change.", path: ".claw/skills/review/SKILL.md" };
    const all = createSlashCommands([skill, { ...skill, name: "help" }, { ...skill, description: "Another." }]);
    expect(all).toHaveLength(commands.length + 1);
    expect(findCommand(all, "review")).toMatchObject({
      kind: "skill",
      responsibility: "Reviews a change.",
      sourceHint: skill.path,
    });
    expect(findCommand(all, "help")?.kind).toBe("builtin");
  });
});

describe("a command", () => {
  test.each(["add-dir", "/add-dir", "ADD-DIR"])("is found as %s", (name) => {
    expect(requireCommand(commands, name).name).toBe("add-dir");
  });

  test.each(["", "/", "//help", "add", "constructor", "__proto__"])("is not found as '%s'", (name) => {
    expect(() => requireCommand(commands, name)).toThrow(expect.objectContaining({ code: "COMMAND_NOT_FOUND" }));
  });

  test("that is mistyped is suggested", () => {
    expect(() => requireCommand(commands, "/compct")).toThrow(
      expect.objectContaining({ target: "/compct", hint: "Did you mean compact?" }),
    );
  });
});
