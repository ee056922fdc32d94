import { describe, expect, test } from "vitest";
import type { RuleContent } from "../rules.ts";
import { commandMatches } from "./match-command.ts";

const exact = (text: string): RuleContent => ({ kind: "exact", text });
const prefix = (text: string): RuleContent => ({ kind: "prefix", text });

describe("a rule that allows", () => {
  test.each([
    [exact("npm test"), "npm test", true],
    [exact("npm test"), "npm test x", false],
    [exact("npm test"), "npm", false],
    [exact("npm test"), "npm test && npm test", true],
    [exact("npm test"), "npm test && ls", false],
    [exact("npm test"), "/bin/npm test", false],
    [prefix("npm run"), "npm run x y", true],
    [prefix("npm run"), "npm run", true],
    [prefix("npm run"), "npm running", false],
    [prefix("npm run"), "npm run $x", false],
    [prefix(""), "ls", false],
  ])("means plain commands, word by word: %o %s", (content, command, isMeant) => {
    expect(commandMatches(content, "allow", command)).toBe(isMeant);
  });
});

describe("a rule that restricts", () => {
  test.each([
    [exact("git push"), "git push", true],
    [exact("git push"), "git pushes", false],
    [exact("make all"), "make all -j", true],
    [exact("rm x"), "rm x y", false],
    [exact("rm x"), "rm x", true],
    [prefix("rm"), "rm x y", true],
    [prefix("rm"), "rmdir x", true],
    [exact("rm"), "rmdir x", false],
    [prefix("rm -r"), "rm -rf x", true],
    [prefix("rm"), "/bin/rm x", true],
    [prefix("rm"), "ls; rm x", true],
    [prefix("rm"), "ls rm", false],
    [prefix("rm"), "sudo rm x", true],
    [prefix("rm"), "/usr/bin/sudo -u me /bin/rm x", true],
    [prefix("git push"), "git -C x push", true],
    [prefix("git push"), "git -C x -c a=b push", true],
    [prefix("git push"), "git x push", false],
    [prefix("git push"), "git --no-pager push", true],
    [prefix("git push"), "git -C", false],
    [prefix("git push"), "echo git push", false],
    [prefix("git push"), "echo git push | sh", true],
    [prefix("git push"), "echo git pull | sh", false],
    [prefix("git push"), "(git push)", true],
    [prefix("git push"), "x=$(git 'push')", true],
    [prefix("git push"), "x=$(g'it' push)", true],
    [prefix("git push"), "x=$(git pull)", false],
    [prefix("git push"), "(git)", false],
    [prefix("rm"), "(/bin/rm x)", true],
  ])("means any command of the line, and what a program is told to run: %o %s", (content, command, isMeant) => {
    expect(commandMatches(content, "deny", command)).toBe(isMeant);
  });
});
