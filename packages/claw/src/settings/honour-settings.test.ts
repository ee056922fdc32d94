import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { honourSettings, isTrustedWorkspace } from "./honour-settings.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";

const FOREIGN = { isUser: false, isTrusted: false, mode: "workspace-write" };

const EVERYTHING = {
  model: "m",
  permissions: {
    defaultMode: "danger-full-access",
    allow: ["bash"],
    ask: ["web_fetch"],
    deny: ["bash(rm:*)"],
    additionalDirectories: ["/"],
  },
  hooks: { PreToolUse: ["touch /tmp/x"] },
  mcpServers: { x: { command: "x" } },
  sandbox: "off",
  aliases: { fast: "m" },
  providers: { anthropic: { kind: "anthropic", baseUrl: "http://elsewhere" } },
  prices: { m: { input: 0, output: 0 } },
  env: { LD_PRELOAD: "x.so" },
  notify: { command: ["touch", "/tmp/x"] },
  bus: { url: "nats://elsewhere:4222" },
  compaction: { thresholdTokens: 5 },
  maxOutputTokens: 9,
  trustedRoots: ["/"],
};

test("settings of a folder nobody trusts neither run programs nor widen what a run may do", () => {
  expect(honourSettings(EVERYTHING, FOREIGN)).toEqual({
    values: {
      model: "m",
      permissions: { ask: ["web_fetch"], deny: ["bash(rm:*)"] },
      aliases: { fast: "m" },
      compaction: { thresholdTokens: 5 },
      maxOutputTokens: 9,
    },
    ignored: [
      "hooks",
      "mcpServers",
      "sandbox",
      "providers",
      "prices",
      "env",
      "notify",
      "bus",
      "trustedRoots",
      "permissions.defaultMode",
      "permissions.allow",
      "permissions.additionalDirectories",
    ],
  });
});

test("settings of a trusted folder count, but cannot trust others", () => {
  const { trustedRoots: _, ...rest } = EVERYTHING;
  expect(honourSettings(EVERYTHING, { ...FOREIGN, isTrusted: true })).toEqual({
    values: rest,
    ignored: ["trustedRoots"],
  });
});

test("the user's own settings count whole", () => {
  expect(honourSettings(EVERYTHING, { ...FOREIGN, isUser: true })).toEqual({ values: EVERYTHING, ignored: [] });
});

test.each([
  ["workspace-write", "read-only", true],
  ["workspace-write", "workspace-write", true],
  ["read-only", "workspace-write", false],
  ["read-only", "read-only", true],
  ["danger-full-access", "danger-full-access", true],
])("where %s holds, a foreign mode %s counts: %s", (mode, defaultMode, counts) => {
  const { ignored } = honourSettings({ permissions: { defaultMode } }, { ...FOREIGN, mode });
  expect(ignored).toEqual(counts ? [] : ["permissions.defaultMode"]);
});

test("a folder nobody trusts cannot put a script in the place of a model", () => {
  const scripted = [
    { model: "scripted" },
    { model: "scripted:evil.json" },
    { aliases: { fast: "m", opus: "scripted:evil.json" } },
    { model: "scripted-not" },
  ];
  expect(scripted.map((values) => honourSettings(values, FOREIGN).ignored)).toEqual([
    ["model"],
    ["model"],
    ["aliases"],
    [],
  ]);
  expect(honourSettings({ model: "scripted:mine.json" }, { ...FOREIGN, isTrusted: true }).ignored).toEqual([]);
});

test("anybody may ask for the sandbox, and only the user may do without", () => {
  const kept = ["required", "auto", "off"].map((sandbox) => honourSettings({ sandbox }, FOREIGN).values);
  expect(kept).toEqual([{ sandbox: "required" }, {}, {}]);
});

function folders() {
  const base = temporaryFolder(onTestFinished);
  for (const name of ["home/code/app", "home/codex", "other"]) mkdirSync(join(base, name), { recursive: true });
  return { base, home: join(base, "home"), app: join(base, "home/code/app") };
}

test("a folder is trusted when it is a trusted root or lies below one", () => {
  const { home, app } = folders();
  const trusted = (roots: string[]): boolean => isTrustedWorkspace({ cwd: app, env: { HOME: home }, roots });
  expect([[app], [home], ["~/code"], ["~"], ["/"]].map(trusted)).toEqual([true, true, true, true, true]);
  expect([[], ["~/codex"], ["code"], [""], [join(app, "below")], ["~other"]].map(trusted)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});

test("a name that only begins like a trusted root is another folder", () => {
  const { home } = folders();
  expect(isTrustedWorkspace({ cwd: join(home, "codex"), env: {}, roots: [join(home, "code")] })).toBe(false);
});

test("a link inside a trusted root that leads elsewhere is not trusted", () => {
  const { base, app } = folders();
  const link = join(app, "link");
  symlinkSync(join(base, "other"), link);
  expect(isTrustedWorkspace({ cwd: link, env: {}, roots: [app] })).toBe(false);
  expect(isTrustedWorkspace({ cwd: link, env: {}, roots: [join(base, "other")] })).toBe(true);
});

test("the environment can trust the folder of one call, with 1 and nothing else", () => {
  const { app } = folders();
  const trusted = ["1", "0", "", "true"].map((value) =>
    isTrustedWorkspace({ cwd: app, env: { CLAW_TRUST_WORKSPACE: value }, roots: [] }),
  );
  expect(trusted).toEqual([true, false, false, false]);
});
