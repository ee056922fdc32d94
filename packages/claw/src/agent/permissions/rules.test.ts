import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PermissionMode } from "claw-contract";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createJudge } from "./create-judge.ts";
import type { Need, PermissionVerdict } from "./permission.ts";
import type { RuleTexts } from "./rules.ts";
import { readRules } from "./rules.ts";

const ROOT = "/nowhere/work";

interface Case {
  readonly rules: RuleTexts;
  readonly mode?: PermissionMode;
  readonly root?: string;
}

function judge(
  { rules, mode = "workspace-write", root = ROOT }: Case,
  tool: string,
  need: Need,
  subject = "",
): PermissionVerdict {
  const workspace = { root, extraFolders: [] };
  return createJudge({ mode, rules: readRules(rules).rules, workspace, sandbox: () => null }).judge({
    tool,
    need,
    subject,
  });
}

const command = (text: string): Need => ({ kind: "command", command: text, unconfined: false });
const write = (path: string): Need => ({ kind: "write", paths: [join(ROOT, path)] });
const read = (path: string): Need => ({ kind: "read", paths: [join(ROOT, path)] });
const bash = (rules: RuleTexts, text: string): string => judge({ rules }, "bash", command(text), text).decision;

describe("rules for commands", () => {
  test.each([
    ["bash(npm test)", "npm test", "allow"],
    ["bash(npm test)", "npm test --watch", "ask"],
    ["Bash(npm test:*)", "npm test --watch", "allow"],
    ["BashTool(npm test:*)", "npm testify", "ask"],
    ["bash(npm test:*)", "npm test && npm test -- x", "allow"],
    ["bash(npm test:*)", "npm test; ls", "allow"],
    ["bash(npm test:*)", "npm test | tee x", "ask"],
    ["bash(npm test:*)", "npm test && rm -rf /", "ask"],
    ["bash(npm test:*)", "npm test $(rm x)", "ask"],
    ["bash(npm test:*)", "npm test > x", "ask"],
    ["bash(npm test:*)", "npm test\nevil", "ask"],
    ["bash(npm test:*)", "'npm test'", "ask"],
    ["bash(npm test:*)", "npm\u00a0test", "ask"],
    ["bash", "anything $x", "allow"],
    ["bash(*)", "anything $x", "allow"],
    ["*", "anything $x", "allow"],
  ])("allow by %s: %s → %s", (rule, text, decision) => {
    expect(bash({ allow: [rule] }, text)).toBe(decision);
  });

  test.each([
    ["bash(rm:*)", "rm -rf x", "deny"],
    ["bash(rm:*)", "ls && rm x", "deny"],
    ["bash(rm:*)", "/bin/rm x", "deny"],
    ["bash(rm:*)", "env rm x", "deny"],
    ["bash(rm:*)", "bash -c 'rm x'", "deny"],
    ["bash(rm:*)", "r''m x", "deny"],
    ["bash(rm:*)", "(rm x)", "deny"],
    ["bash(rm:*)", "echo $(rm x)", "deny"],
    ["bash(rm:*)", "r\\m x", "deny"],
    ["bash(rm:*)", "X=rm; $X y", "deny"],
    ["bash(rm:*)", "X=r; ${X}m y", "ask"],
    ["bash(rm:*)", "/bin/r? y", "ask"],
    ["bash(rm:*)", "echo 'rm x' | sh", "deny"],
    ["bash(rm:*)", "echo x | xargs rm", "deny"],
    ["bash(rm:*)", "echo farm", "allow"],
    ["bash(git push:*)", "git push -f", "deny"],
    ["bash(git push:*)", "git -C x push", "deny"],
    ["bash(git push:*)", "git  push", "deny"],
    ["bash(git push:*)", "git -c a=b push", "deny"],
    ["bash(git push:*)", "(git -c a=b push)", "deny"],
    ["bash", "true", "deny"],
    ["*", "true", "deny"],
  ])("deny by %s, whatever else allows: %s → %s", (rule, text, decision) => {
    const rules = { allow: decision === "deny" ? ["bash", "*"] : [], deny: [rule] };
    expect(bash(rules, text)).toBe(decision);
  });

  test("deny and ask hold in every mode, deny before ask before allow", () => {
    const rules = { allow: ["bash"], ask: ["bash(git push:*)"], deny: ["bash(git push -f:*)"] };
    const decide = (text: string): string =>
      judge({ rules, mode: "danger-full-access" }, "bash", command(text)).decision;
    expect([decide("git push -f"), decide("git push"), decide("git pull")]).toEqual(["deny", "ask", "allow"]);
  });

  test("outside of the sandbox only what is named runs unasked", () => {
    const unconfined: Need = { kind: "command", command: "npm install", unconfined: true };
    expect(judge({ rules: { allow: ["bash"] } }, "bash", unconfined).decision).toBe("ask");
    expect(judge({ rules: { allow: ["bash(npm install)"] } }, "bash", unconfined).decision).toBe("allow");
    expect(judge({ rules: {}, mode: "danger-full-access" }, "bash", unconfined).decision).toBe("allow");
  });
});

describe("rules for files", () => {
  test("are patterns from the root of the workspace, compared with where a path leads", () => {
    const deny = ["read_file(secrets/**)", "Edit(*.lock)"];
    expect(judge({ rules: { deny } }, "read_file", read("secrets/a/b"), "x").decision).toBe("deny");
    expect(judge({ rules: { deny } }, "grep_search", read("secrets/a"), "x").decision).toBe("deny");
    expect(judge({ rules: { deny } }, "read_file", read("other/secrets"), "x").decision).toBe("allow");
    expect(judge({ rules: { deny } }, "edit_file", write("a.lock"), "a.lock").decision).toBe("deny");
    expect(judge({ rules: { deny } }, "write_file", write("a.lock"), "a.lock").decision).toBe("deny");
    expect(judge({ rules: { deny } }, "read_file", read("a"), "./secrets/x").decision).toBe("deny");
  });

  test("that keep something from being read keep it from tools that show what they write over, and from commands", () => {
    const rules = { deny: ["read_file(secret)"] };
    expect(judge({ rules }, "write_file", write("secret"), "secret").decision).toBe("deny");
    expect(judge({ rules }, "edit_file", write("other"), "other").decision).toBe("allow");
    expect(bash(rules, "cat ./secret")).toBe("deny");
    expect(bash(rules, "cat < 'sec'ret")).toBe("deny");
    expect(bash({ deny: ["edit_file(kept)"] }, "cat kept")).toBe("allow");
    expect(bash({ deny: ["edit_file(kept)"] }, "touch kept")).toBe("deny");
  });

  test("open protected and outside places only when they name them", () => {
    const guarded = write(".claw/settings.json");
    expect(judge({ rules: { allow: ["write_file", "*"] } }, "write_file", guarded).decision).toBe("ask");
    expect(judge({ rules: { allow: ["write_file(.claw/**)"] } }, "write_file", guarded).decision).toBe("allow");
    const outside: Need = { kind: "read", paths: ["/nowhere/else/x"] };
    expect(judge({ rules: { allow: ["read_file"] } }, "read_file", outside).decision).toBe("ask");
    expect(judge({ rules: { allow: ["read_file(/nowhere/else/**)"] } }, "read_file", outside).decision).toBe("allow");
    const mixed: Need = { kind: "read", paths: ["/nowhere/else/x", "/nowhere/third"] };
    expect(judge({ rules: { allow: ["read_file(/nowhere/else/**)"] } }, "read_file", mixed).decision).toBe("ask");
  });

  test("that allow are not fooled by how a path was written", () => {
    const root = temporaryFolder(onTestFinished);
    mkdirSync(join(root, "docs"));
    symlinkSync("/etc", join(root, "docs", "link"));
    const need: Need = { kind: "read", paths: ["/etc/passwd"] };
    const verdict = judge({ rules: { allow: ["read_file(docs/**)"] }, root }, "read_file", need, "docs/link/passwd");
    expect(verdict.decision).toBe("ask");
  });
});

describe("rules for addresses and tools of others", () => {
  const fetch = (url: string): Need => ({ kind: "network", url });

  test.each([
    ["web_fetch(domain:example.com)", "https://example.com/x", "allow"],
    ["WebFetch(domain:Example.com)", "https://EXAMPLE.com./x", "allow"],
    ["web_fetch(domain:example.com)", "https://evil-example.com/", "ask"],
    ["web_fetch(domain:example.com)", "https://example.com.evil.org/", "ask"],
    ["web_fetch(domain:example.com)", "https://example.com@evil.org/", "ask"],
    ["web_fetch(domain:example.com)", "https://sub.example.com/", "ask"],
    ["web_fetch(domain:*.example.com)", "https://sub.example.com/", "allow"],
    ["web_fetch(https://example.com/docs/:*)", "https://example.com/docs/a", "allow"],
    ["web_fetch(https://example.com/docs/:*)", "https://example.com/docs/../x", "ask"],
    ["web_fetch(https://example.com:*)", "https://example.com.evil.org/", "ask"],
    ["web_fetch", "https://example.com/", "allow"],
  ])("%s and %s: %s", (rule, url, decision) => {
    expect(judge({ rules: { allow: [rule] } }, "web_fetch", fetch(url), url).decision).toBe(decision);
  });

  test("deny a domain with what is below it", () => {
    const rules = { allow: ["web_fetch"], deny: ["web_fetch(domain:example.com)"] };
    expect(judge({ rules }, "web_fetch", fetch("https://a.example.com/")).decision).toBe("deny");
  });

  test("mean a server with all of its tools, or one of them", () => {
    const need: Need = { kind: "foreign", mode: "danger-full-access" };
    const decide = (rule: string, tool: string): string => judge({ rules: { allow: [rule] } }, tool, need).decision;
    expect(decide("mcp__github", "mcp__github__list")).toBe("allow");
    expect(decide("mcp__GitHub__*", "mcp__github__list")).toBe("allow");
    expect(decide("mcp__github__list", "mcp__github__list")).toBe("allow");
    expect(decide("mcp__github__list", "mcp__github__list_all")).toBe("ask");
    expect(decide("mcp__git", "mcp__github__list")).toBe("ask");
  });
});

describe("rules that are wrong", () => {
  test.each([
    "bash(rm",
    "",
    "bash()",
    "b*sh",
    "bash($x:*)",
    "bash(a && b)",
    "read_file(domain:x.org)",
    "no_such_tool",
    "x".repeat(5000),
  ])("are told: %s", (rule) => {
    expect(readRules({ allow: [rule] }).problems).toEqual([{ list: "allow", rule, why: expect.any(String) }]);
  });

  test("restrict all of the tool they name, and allow nothing", () => {
    expect(bash({ deny: ["Bash(rm"] }, "true")).toBe("deny");
    expect(bash({ ask: ["bash($x)"] }, "true")).toBe("ask");
    expect(bash({ allow: ["bash($x:*)"] }, "npm test")).toBe("ask");
  });
});

describe("modes", () => {
  test.each([
    ["read-only", read("a"), "allow"],
    ["read-only", write("a"), "ask"],
    ["workspace-write", write("a"), "allow"],
    ["workspace-write", write(".git/hooks/x"), "ask"],
    ["workspace-write", write("../a"), "ask"],
    ["workspace-write", read("../a"), "ask"],
    ["danger-full-access", write("../a"), "allow"],
    ["danger-full-access", write(".git/config"), "allow"],
    ["read-only", { kind: "nothing" }, "allow"],
    ["workspace-write", { kind: "network", url: "https://example.com/" }, "ask"],
    ["danger-full-access", { kind: "network", url: "https://example.com/" }, "allow"],
    ["read-only", { kind: "foreign", mode: "read-only" }, "allow"],
    ["read-only", { kind: "foreign", mode: "workspace-write" }, "ask"],
  ] as const)("%s and %o: %s", (mode, need, decision) => {
    expect(judge({ rules: {}, mode }, "tool", need).decision).toBe(decision);
  });

  test("a tool that is not among those of the run is denied, whatever the mode", () => {
    const workspace = { root: ROOT, extraFolders: [] };
    const options = { mode: "danger-full-access", rules: readRules({}).rules, workspace, sandbox: () => null } as const;
    const own = createJudge({ ...options, allowedTools: ["Read"] });
    expect(own.judge({ tool: "read_file", need: read("a"), subject: "a" }).decision).toBe("allow");
    expect(own.judge({ tool: "bash", need: command("ls"), subject: "ls" }).decision).toBe("deny");
  });

  test("where the sandbox is required and missing no command runs", () => {
    const workspace = { root: ROOT, extraFolders: [] };
    const options = { mode: "workspace-write", rules: readRules({}).rules, workspace, sandbox: () => null } as const;
    const own = createJudge({ ...options, isSandboxRequired: true });
    expect(own.judge({ tool: "bash", need: command("ls"), subject: "ls" }).decision).toBe("deny");
  });
});
