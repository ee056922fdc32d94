import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { realPlace, permissionRuleFits } from "./match-rule.ts";
import type { Need } from "./permission.ts";
import type { Rule, RuleList } from "./rules.ts";
import { readRules } from "./rules.ts";

const ROOT = "/nowhere/work";

function ruleOf(list: RuleList, text: string): Rule {
  const { rules, problems } = readRules({ [list]: [text] });
  expect(problems).toEqual([]);
  return rules[list][0] as Rule;
}

interface Asked {
  readonly need: Need;
  readonly tool?: string;
  readonly subject?: string;
  readonly root?: string;
}

function fits(list: RuleList, text: string, { need, tool = "read_file", subject = "", root = ROOT }: Asked): boolean {
  return permissionRuleFits(ruleOf(list, text), list, { tool, need, subject }, { root, extraFolders: [] });
}

describe("a rule for addresses", () => {
  const address = (list: RuleList, rule: string, url: string): boolean =>
    fits(list, rule, { tool: "web_fetch", need: { kind: "network", url }, subject: url });

  test.each([
    ["https://example.com/a", true],
    ["https://EXAMPLE.com/a", true],
    ["https://example.com/a/", false],
    ["https://example.com/a?b", false],
    ["https://example.com/", false],
    ["http://example.com/a", false],
    ["https://evil.org/a", false],
    ["https://example.com/a#b", false],
    ["no address", false],
  ])("with one exact address means that one alone: %s", (url, isMeant) => {
    for (const list of ["allow", "deny"] as const) {
      expect(address(list, "web_fetch(https://example.com/a)", url)).toBe(isMeant);
    }
  });

  test("means a host, and what is below it where it restricts or says so", () => {
    const hosts = ["https://a.b/", "https://A.b./x", "https://x.a.b/", "https://xa.b/", "https://a.b.c/"];
    const met = (list: RuleList, rule: string): boolean[] => hosts.map((url) => address(list, rule, url));
    expect(met("allow", "web_fetch(domain:a.b)")).toEqual([true, true, false, false, false]);
    expect(met("ask", "web_fetch(domain:a.b)")).toEqual([true, true, true, false, false]);
    expect(met("allow", "web_fetch(domain:*.a.b)")).toEqual([false, false, true, false, false]);
  });

  test("means an address of the network by its numbers", () => {
    expect(address("allow", "web_fetch(domain:[::1])", "http://[::1]:80/")).toBe(true);
    expect(address("allow", "web_fetch(domain:[::1])", "http://[::2]:80/")).toBe(false);
  });

  test("with a beginning means what begins so, if that reaches into the path", () => {
    expect(address("allow", "web_fetch(http://a.b/x:*)", "http://a.b/xy")).toBe(true);
    expect(address("allow", "web_fetch(http://a.b/x:*)", "http://a.b/y")).toBe(false);
    expect(address("allow", "web_fetch(http://a.b:*)", "http://a.b/x")).toBe(false);
    expect(address("allow", "web_fetch(ftp://a.b/x:*)", "ftp://a.b/x")).toBe(false);
  });

  test("with a pattern of paths means no address", () => {
    expect(address("allow", "web_fetch(https://a.b/*)", "https://a.b/x")).toBe(false);
  });
});

describe("a rule for files", () => {
  const read = (...paths: string[]): Need => ({ kind: "read", paths: paths.map((path) => join(ROOT, path)) });

  test("that allows fits everything the call touches, and never nothing", () => {
    expect(fits("allow", "read_file(docs/**)", { need: read("docs/a", "docs/b/c") })).toBe(true);
    expect(fits("allow", "read_file(docs/**)", { need: read("docs/a", "src/b") })).toBe(false);
    expect(fits("allow", "read_file(docs/**)", { need: read() })).toBe(false);
  });

  test("that restricts fits any part, and the words the call was made with", () => {
    expect(fits("deny", "read_file(docs/**)", { need: read("docs/a", "src/b") })).toBe(true);
    expect(fits("deny", "read_file(docs/**)", { need: read("src/b"), subject: "./docs/x" })).toBe(true);
    expect(fits("allow", "read_file(docs/**)", { need: read("src/b"), subject: "./docs/x" })).toBe(false);
    expect(fits("deny", "read_file(docs/**)", { need: read("src/b"), subject: "src/b" })).toBe(false);
  });

  test("names one file, or everything that begins alike", () => {
    const met = (rule: string): boolean[] =>
      ["a", "ab", "a/b"].map((path) => fits("allow", rule, { need: read(path) }));
    expect(met("read_file(a)")).toEqual([true, false, false]);
    expect(met("read_file(a:*)")).toEqual([true, true, true]);
    expect(met("read_file(ab:*)")).toEqual([false, true, false]);
    expect(met(`read_file(${ROOT}/a)`)).toEqual([true, false, false]);
  });

  test("names the home folder by a tilde, and no other", () => {
    const at = (path: string): boolean => fits("allow", "read_file(~/x)", { need: { kind: "read", paths: [path] } });
    expect([at(join(homedir(), "x")), at(join(ROOT, "~/x")), at(`${homedir()}x`)]).toEqual([true, false, false]);
    expect(fits("allow", "read_file(~x)", { need: read("~x") })).toBe(true);
  });

  test("names a file by a link that leads to it as well", () => {
    const root = temporaryFolder(onTestFinished);
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real", "a"), "");
    symlinkSync("real", join(root, "link"));
    const met = (path: string): boolean =>
      fits("deny", "read_file(link/a)", { root, need: { kind: "read", paths: [join(root, path)] }, subject: "x" });
    expect([met("real/a"), met("link/a"), met("real/b")]).toEqual([true, true, false]);
    symlinkSync("circle", join(root, "circle"));
    expect(realPlace("circle", { root, extraFolders: [] })).toBe(join(root, "circle"));
  });

  test("keeps commands from the files they name, each kind of rule from its own", () => {
    const met = (rule: string, command: string): boolean =>
      fits("deny", rule, { tool: "bash", need: { kind: "command", command, unconfined: false }, subject: command });
    expect([met("read_file(a)", "cat a"), met("read_file(a)", "cat b")]).toEqual([true, false]);
    expect([met("write_file(a)", "cat a"), met("write_file(a)", "touch a")]).toEqual([false, true]);
    expect(met("read_file", "cat a")).toBe(false);
  });
});

describe("a rule for tools of others", () => {
  test.each([
    ["mcp__x(abc)", [true, false, false]],
    ["mcp__x(abc:*)", [true, true, false]],
    ["mcp__x(a*)", [true, true, false]],
    ["mcp__x", [true, true, true]],
  ])("compares the subject: %s", (rule, expected) => {
    const need: Need = { kind: "foreign", mode: "read-only" };
    const met = ["abc", "abcd", "bcd"].map((subject) => fits("allow", rule, { tool: "mcp__x__do", need, subject }));
    expect(met).toEqual(expected);
  });
});
