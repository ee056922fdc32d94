import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { nodeFileSystem } from "../../../files/index.ts";
import { runCommand } from "../../../process/index.ts";
import type { SlashCommand } from "../slash-commands/command.ts";
import { completeLine } from "./complete-line.ts";
import { mentionedFiles, withMentions } from "./mentions.ts";
import { listWorkspaceFiles } from "./workspace-files.ts";

const NEVER = new AbortController().signal;

interface Place {
  readonly cwd: string;
}

beforeEach<Place>((context) => {
  const base = temporaryFolder(onTestFinished);
  const cwd = join(base, "project");
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(base, "outside.txt"), "x");
  for (const name of ["src/alpha.ts", "src/beta.ts", "my notes.txt", "build.log"]) writeFileSync(join(cwd, name), "x");
  symlinkSync(join(base, "outside.txt"), join(cwd, "link.txt"));
  Object.assign(context, { cwd });
});

test<Place>("a mention names a file or folder of the workspace, once, and nothing outside of it", ({ cwd }) => {
  const prompt =
    'see @src/alpha.ts, @src and @"my notes.txt" (@src/alpha.ts) mail@src @../outside.txt @link.txt @/etc/passwd @none @a\0b';
  expect(mentionedFiles(prompt, cwd)).toEqual(["src/alpha.ts", "src/", "my notes.txt"]);
  expect(withMentions("look at @src/beta.ts!", cwd, [])).toBe(
    "look at @src/beta.ts!\n\n(@ names these in the working folder: src/beta.ts)",
  );
  expect(withMentions("nothing @../outside.txt", cwd, [])).toBe("nothing @../outside.txt");
});

test<Place>("so many files are named and no more", ({ cwd }) => {
  for (let index = 0; index < LIMITS.mentions + 5; index += 1) writeFileSync(join(cwd, `f${index}`), "");
  const prompt = Array.from({ length: LIMITS.mentions + 5 }, (_, index) => `@f${index}`).join(" ");
  expect(mentionedFiles(prompt, cwd)).toHaveLength(LIMITS.mentions);
});

test<Place>("files are found without git, and with it those are left out that it ignores", async ({ cwd }) => {
  const ports = { cwd, files: nodeFileSystem };
  const all = ["build.log", "link.txt", "my notes.txt", "src/alpha.ts", "src/beta.ts"];
  expect([...(await listWorkspaceFiles(ports, NEVER))].toSorted()).toEqual(all);
  writeFileSync(join(cwd, ".gitignore"), "*.log\n");
  await runCommand({ argv: ["git", "init", "-q"], cwd, timeoutMs: 100_000, maxOutputBytes: 1000 }, NEVER);
  expect(await listWorkspaceFiles(ports, NEVER)).not.toContain("build.log");
  expect(await listWorkspaceFiles(ports, NEVER)).toContain("src/alpha.ts");
});

test<Place>("looking for files starts no program that the folder's git settings name", async ({ cwd }) => {
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd });
  const mark = join(cwd, "..", "ran");
  git("init", "-q");
  git("add", "src");
  git("config", "core.fsmonitor", `touch ${mark};`);
  expect(await listWorkspaceFiles({ cwd, files: nodeFileSystem }, NEVER)).toContain("src/alpha.ts");
  expect(existsSync(mark)).toBe(false);
});

test("Tab completes a command at the beginning of a line, and files behind an @", async () => {
  const commands = ["clear", "compact", "cost"].map((name) => ({ name }) as SlashCommand);
  const files = () => Promise.resolve(["src/beta.ts", "src/alpha.ts", "docs/alphabet.md", "my notes.txt"]);
  const resources = async () => ["docs:note://one"];
  const complete = (text: string, cursor = text.length) => completeLine(text, cursor, { commands, files, resources });
  expect(await complete("/co")).toEqual({ start: 0, candidates: ["/compact", "/cost"] });
  expect((await complete("say /co")).candidates).toEqual([]);
  expect(await complete("look at @src/a now", 14)).toEqual({ start: 8, candidates: ["@src/alpha.ts"] });
  expect((await complete("@alpha")).candidates).toEqual(["@src/alpha.ts", "@docs/alphabet.md"]);
  expect(await complete("@my")).toEqual({ start: 0, candidates: ['@"my notes.txt"'] });
  expect((await complete('@"my no')).candidates).toEqual(['@"my notes.txt"']);
  expect((await complete("me@src")).candidates).toEqual([]);
  expect((await complete("@zzz")).candidates).toEqual([]);
});

test<Place>("a mention names a resource of a server that has some", ({ cwd }) => {
  const servers = [
    { name: "docs", hasResources: true },
    { name: "plain", hasResources: false },
  ];
  expect(withMentions("see @docs:note://one, @plain:note://two and @docs:", cwd, servers)).toBe(
    "see @docs:note://one, @plain:note://two and @docs:\n\n(@ names these resources of MCP servers, for read_mcp_resource: docs note://one)",
  );
});
