import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { createNoteTaker } from "../../runtime/note-taker.ts";
import { dialogsOf, isOpen, settleDialogs } from "./settle-dialogs.ts";

const KEY = "sk-ant-0123456789-abcdefghijklmnop";
const NOTHING = { trustFolder: false, useApiKey: false };

/** A user's home, a repository in it, and the person at the terminal, who says these things one after the other. */
function createPlace(...says: string[]) {
  const home = temporaryFolder(onTestFinished);
  const [cwd, folder] = [join(home, "repo", "src"), join(home, "repo")];
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(cwd);
  mkdirSync(join(home, ".codex"));
  const env = { HOME: home, CLAW_CONFIG_HOME: join(home, ".claw"), ANTHROPIC_API_KEY: KEY };
  const asked: string[] = [];
  const ask = (text: string): Promise<string | null> => {
    asked.push(text);
    return Promise.resolve(says.shift() ?? null);
  };
  const notes = createNoteTaker();
  const { signal } = new AbortController();
  const settle = async (harness: "claude-code" | "codex", consent = NOTHING, isThere = true) =>
    settleDialogs(dialogsOf(harness, { cwd, env }), consent, {
      terminal: isThere ? { ask } : null,
      notes,
      env,
      signal,
    });
  const read = (path: string): string => readFileSync(join(home, path), "utf8");
  return { home, folder, cwd, env, asked, notes, settle, read };
}

const claudeFile = (folder: string) => ({
  projects: { [folder]: { hasTrustDialogAccepted: true } },
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
});

test("a person is asked once for each dialog of Claude Code, and told where a yes is recorded", async () => {
  const { home, folder, asked, settle, read } = createPlace("y", "yes");
  writeFileSync(join(home, ".claude.json"), JSON.stringify({ theme: "dark", projects: { "/else": { a: 1 } } }));
  await settle("claude-code");
  const recorded = `It is recorded in ${join(home, ".claude.json")}. [y/N] `;
  expect(asked).toEqual([
    `Trust ${folder} for Claude Code? ${recorded}`,
    `Use the key in ANTHROPIC_API_KEY for Claude Code? ${recorded}`,
  ]);
  const { projects, ...rest } = claudeFile(folder);
  expect(JSON.parse(read(".claude.json"))).toEqual({
    theme: "dark",
    ...rest,
    projects: { "/else": { a: 1 }, ...projects },
  });
  await settle("claude-code");
  expect(asked).toHaveLength(2);
});

test("a no is kept and not asked again, and nothing of the agent's is written", async () => {
  const { asked, settle, read } = createPlace("no", "", "y");
  await settle("claude-code");
  await settle("claude-code");
  expect(asked).toHaveLength(2);
  expect(() => read(".claude.json")).toThrow("ENOENT");
  await settle("codex");
  expect(asked).toHaveLength(3);
});

test("without a person nothing is written, and a warning names the flag", async () => {
  const { folder, notes, settle, read } = createPlace();
  await settle("codex", NOTHING, false);
  await settle("claude-code", NOTHING, false);
  expect(notes.notes().warnings).toEqual([
    `Codex will ask: Trust ${folder}? Answer it with claw attach, or start the worker with --trust-folder`,
    `Claude Code will ask: Trust ${folder}? Answer it with claw attach, or start the worker with --trust-folder`,
    "Claude Code will ask: Use the key in ANTHROPIC_API_KEY? Answer it with claw attach, or start the worker with --use-api-key",
  ]);
  expect(() => read(".claude.json")).toThrow("ENOENT");
  expect(() => read(".codex/config.toml")).toThrow("ENOENT");
});

test("a flag is consent, for a person who is not asked and for nobody", async () => {
  const { home, folder, asked, settle, read } = createPlace();
  writeFileSync(join(home, ".codex", "config.toml"), 'model = "m"');
  await settle("codex", { ...NOTHING, trustFolder: true });
  await settle("codex", { ...NOTHING, trustFolder: true }, false);
  const table = `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`;
  expect(read(".codex/config.toml")).toBe(`model = "m"\n\n${table}`);
  await settle("claude-code", { trustFolder: true, useApiKey: true });
  expect(JSON.parse(read(".claude.json"))).toEqual(claudeFile(folder));
  expect(asked).toEqual([]);
});

test("what the agent knows is not asked: a folder above, a token, a key that was refused, no repository for Codex", () => {
  const { home, cwd, env } = createPlace();
  const names = (harness: "claude-code" | "codex" | "claw", place = { cwd, env }): string[] =>
    dialogsOf(harness, place)
      .filter(isOpen)
      .map(({ name }) => name);
  expect(names("claude-code")).toEqual(["trust-folder", "api-key"]);
  const token = { ...env, ANTHROPIC_AUTH_TOKEN: "t" };
  expect(names("claude-code", { cwd, env: token })).toEqual(["trust-folder"]);
  const known = { projects: { [home]: { hasTrustDialogAccepted: true } } };
  const refused = { customApiKeyResponses: { rejected: [KEY.slice(-20)] } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify({ ...known, ...refused }));
  expect(names("claude-code")).toEqual([]);
  expect(names("claw")).toEqual([]);
  // What lies above the temporary folder may be a repository.
  expect(names("codex", { cwd: "/nowhere", env })).toEqual([]);
});

test("a file that is not the agent's own form is left as it is", async () => {
  const { home, asked, settle, read } = createPlace();
  writeFileSync(join(home, ".claude.json"), "{ broken");
  await expect(settle("claude-code", { ...NOTHING, trustFolder: true })).rejects.toMatchObject({
    code: "FILESYSTEM_ERROR",
  });
  await settle("claude-code");
  expect([read(".claude.json"), asked]).toEqual(["{ broken", []]);
});
