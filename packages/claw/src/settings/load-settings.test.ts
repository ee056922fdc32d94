import { chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { earlySettings } from "./early-settings.ts";
import { loadSettings } from "./load-settings.ts";
import { configHome, settingsPlaces } from "./settings-files.ts";

/** A project and a home, with the given settings at their places, weakest first. */
function prepare(texts: readonly (object | string | undefined)[]) {
  const base = temporaryFolder(onTestFinished);
  const cwd = join(base, "project");
  const env = { HOME: join(base, "home"), CLAW_CONFIG_HOME: join(base, "config") };
  const paths = settingsPlaces(cwd, env).map((place) => place.path);
  for (const [index, text] of texts.entries()) {
    const path = paths[index];
    if (text === undefined || path === undefined) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  }
  return { cwd, env, paths };
}

const valuesOf = ({ values }: Awaited<ReturnType<typeof loadSettings>>): Record<string, unknown> =>
  Object.fromEntries([...values].map(([key, { value }]) => [key, value]));

describe("places", () => {
  test("are the user's two, the project's two and the local one, weakest first", () => {
    expect(settingsPlaces("/p", { HOME: "/h" })).toEqual([
      { path: "/h/.claw.json", source: "user" },
      { path: "/h/.claw/settings.json", source: "user" },
      { path: "/p/.claw.json", source: "project" },
      { path: "/p/.claw/settings.json", source: "project" },
      { path: "/p/.claw/settings.local.json", source: "local" },
    ]);
    expect([configHome({ HOME: "/h" }), configHome({ HOME: "/h", CLAW_CONFIG_HOME: "/c" })]).toEqual([
      "/h/.claw",
      "/c",
    ]);
    expect(settingsPlaces("/p", { HOME: "/h", CLAW_CONFIG_HOME: "/c" })[1]?.path).toBe("/c/settings.json");
  });
});

describe("several files", () => {
  test("are merged key by key, the later file decides, and each value knows its file", () => {
    const { cwd, env, paths } = prepare([
      { model: "one", permissions: { defaultMode: "read-only" } },
      { model: "two" },
      { envelope: "flat" },
      undefined,
      { model: "five", permissions: { extra: ["a", "b"] } },
    ]);
    const { values, error, warnings } = loadSettings(cwd, env);
    expect([...values.values()]).toEqual([
      { key: "model", value: "five", file: paths[4] },
      { key: "permissions.defaultMode", value: "read-only", file: paths[0] },
      { key: "permissions.extra", value: ["a", "b"], file: paths[4] },
      { key: "envelope", value: "flat", file: paths[2] },
    ]);
    expect([error, warnings]).toEqual([null, []]);
  });

  test("that are missing are named as such", () => {
    const { cwd, env, paths } = prepare([]);
    const { files, values } = loadSettings(cwd, env);
    expect(files.map(({ path, status, problem }) => [path, status, problem])).toEqual(
      paths.map((path) => [path, "not_found", null]),
    );
    expect(values.size).toBe(0);
  });
});

describe("a broken file", () => {
  test.each([
    ["no JSON", "{", /^it is not JSON/],
    ["a wrong type", { model: 5 }, /^'model' must/],
    ["a wrong word", { envelope: "xml" }, /^'envelope' must/],
    ["a wrong word below", { permissions: { defaultMode: "all" } }, /^'permissions' defaultMode must/],
    ["a wrong shape", { permissions: "all" }, /^'permissions' must/],
  ])("with %s is left out and reported, the others hold", async (_name, text, problem) => {
    const { cwd, env, paths } = prepare([{ model: "weak" }, undefined, undefined, text]);
    const loaded = loadSettings(cwd, env);
    expect(valuesOf(loaded)).toEqual({ model: "weak" });
    expect(loaded.files[3]).toEqual({
      path: paths[3],
      source: "project",
      status: "invalid",
      problem: expect.stringMatching(problem),
      values: new Map(),
      tree: {},
    });
    expect(loaded.error).toBe(`${paths[3]}: ${loaded.files[3]?.problem}`);
  });

  test("never shows its values", () => {
    const secret = "sk-ant-0123456789";
    const texts = [`{"model": ${secret}}`, { envelope: secret, model: 5 }, { permissions: { defaultMode: secret } }];
    const { cwd, env } = prepare(texts);
    expect(JSON.stringify(loadSettings(cwd, env))).not.toContain(secret);
  });

  test("nested beyond reason does not stop anyone", () => {
    const depth = 50_000;
    const { cwd, env } = prepare([{ model: "m" }, `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`]);
    expect(loadSettings(cwd, env).files[1]).toMatchObject({
      status: "invalid",
      problem: expect.stringMatching("nested") as string,
    });
  });
});

describe("unknown keys", () => {
  test("have no effect, once each, and the nearest known one is named", () => {
    const { cwd, env, paths } = prepare([{ $schema: "x", modle: "m", other: { a: 1, b: 2 } }]);
    expect(loadSettings(cwd, env).warnings).toEqual([
      `UNKNOWN_SETTING: 'modle' in ${paths[0]} has no effect; did you mean 'model'?`,
      `UNKNOWN_SETTING: 'other' in ${paths[0]} has no effect`,
    ]);
  });
});

describe("settings that came with the folder", () => {
  const hostile = { model: "m", hooks: { Stop: ["x"] }, permissions: { allow: ["bash"], deny: ["web_fetch"] } };

  test("have no say in what runs until the folder is trusted, and a warning tells how", () => {
    const { cwd, env, paths } = prepare([{ permissions: { deny: ["bash"] } }, undefined, undefined, hostile]);
    const { merged, isTrusted, files, warnings } = loadSettings(cwd, env);
    expect([merged, isTrusted]).toEqual([{ model: "m", permissions: { deny: ["bash", "web_fetch"] } }, false]);
    expect([...(files[3]?.values.keys() ?? [])]).toEqual(["model", "permissions.deny"]);
    expect(warnings).toEqual([
      `UNTRUSTED_SETTING: 'hooks', 'permissions.allow' in ${paths[3]}: without effect; trust the folder with ` +
        `CLAW_TRUST_WORKSPACE=1, or name it in trustedRoots of ${paths[1]}`,
    ]);
  });

  test("count in a trusted folder, wherever they stand", () => {
    const { cwd, env } = prepare([undefined, {}, hostile, undefined, { sandbox: "off" }]);
    expect(loadSettings(cwd, { ...env, CLAW_TRUST_WORKSPACE: "1" })).toMatchObject({
      merged: { ...hostile, sandbox: "off" },
      isTrusted: true,
      warnings: [],
    });
  });

  test("cannot trust themselves", () => {
    const { cwd, env } = prepare([undefined, undefined, { trustedRoots: ["/"] }, { trustedRoots: ["/"] }, hostile]);
    expect(loadSettings(cwd, env)).toMatchObject({ isTrusted: false, merged: { model: "m" } });
    expect(loadSettings(cwd, env).merged).not.toHaveProperty("hooks");
  });

  test("count where the user's own settings name the folder", () => {
    const { cwd, env } = prepare([undefined, { trustedRoots: ["/"] }, hostile]);
    expect(loadSettings(cwd, env)).toMatchObject({ isTrusted: true, merged: hostile, warnings: [] });
  });

  test("are the user's own in the home folder", () => {
    const { env } = prepare([hostile]);
    const { merged, warnings } = loadSettings(env.HOME, env);
    expect([merged, warnings]).toEqual([hostile, []]);
  });
});

describe("early settings", () => {
  test("are those that decide how to answer, the later file first", () => {
    const { cwd, env } = prepare([{ envelope: "flat", outputFormat: "json" }, undefined, { envelope: "response" }]);
    expect(earlySettings(cwd, env)).toEqual({ envelope: "response", outputFormat: "json" });
  });

  test("come from no file that is broken or holds something else", () => {
    const { cwd, env } = prepare(["{", "[]", { envelope: 5, outputFormat: null }, { model: "m" }]);
    expect(earlySettings(cwd, env)).toEqual({});
  });

  test("come from no file that is left out when settings are loaded", () => {
    const { cwd, env } = prepare([{ outputFormat: "json", model: 5 }]);
    expect(earlySettings(cwd, env)).toEqual({});
  });
});

describe("settings in a folder in which others have a hand", () => {
  test.each([".claw", ".claw/settings.json"])("are refused through a link in the place of %s", (name) => {
    const { cwd, env } = prepare([undefined, undefined, undefined, { model: "theirs" }]);
    renameSync(join(cwd, name), join(cwd, "..", "elsewhere"));
    symlinkSync(join(cwd, "..", "elsewhere"), join(cwd, name));
    const { error, merged } = loadSettings(cwd, env);
    expect(error).toBe(`${join(cwd, ".claw/settings.json")}: ${join(cwd, name)} is a symbolic link`);
    expect(merged).toEqual({});
  });

  test.skipIf(process.getuid?.() !== 0)("are refused when they are another user's, until the folder is trusted", () => {
    const { cwd, env } = prepare([undefined, undefined, undefined, { model: "theirs" }]);
    chownSync(join(cwd, ".claw"), 65_534, 65_534);
    expect(loadSettings(cwd, env).error).toMatch(/belongs to another user; trust the folder to read it$/);
    expect(loadSettings(cwd, { ...env, CLAW_TRUST_WORKSPACE: "1" }).merged).toEqual({ model: "theirs" });
  });

  test("are the user's own in the home folder, also through a link", () => {
    const { env } = prepare([]);
    const home = join(env.HOME, ".claw");
    mkdirSync(join(env.HOME, "dotfiles"), { recursive: true });
    writeFileSync(join(env.HOME, "dotfiles", "settings.json"), '{"model":"mine"}');
    symlinkSync("dotfiles", home);
    expect(loadSettings(env.HOME, { HOME: env.HOME })).toMatchObject({ error: null, merged: { model: "mine" } });
  });
});
