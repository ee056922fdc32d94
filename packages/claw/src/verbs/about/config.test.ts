import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MASK } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

function folderWith(files: Readonly<Record<string, object | string>>): string {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(cwd, ".claw"));
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(cwd, name), typeof value === "string" ? value : JSON.stringify(value));
  }
  return cwd;
}

async function config(cwd: string, input: object = {}): Promise<Record<string, unknown>> {
  const outcome = await callVerb("config", { ...input }, createTestPorts(cwd));
  if (outcome.kind !== "data") throw new Error(`it answered ${outcome.kind}`);
  return outcome.data;
}

test("each value is shown with the file that decides it, and who was overruled", async () => {
  const cwd = folderWith({ ".claw.json": { model: "a", envelope: "flat" }, ".claw/settings.json": { model: "b" } });
  const { values, files, status } = await config(cwd);
  const [project, folder] = [join(cwd, ".claw.json"), join(cwd, ".claw/settings.json")];
  expect([status, values]).toEqual([
    "ok",
    [
      { key: "model", value: "b", file: folder },
      { key: "envelope", value: "flat", file: project },
    ],
  ]);
  expect(files).toMatchObject([
    { status: "not_found" },
    { status: "not_found" },
    { path: project, precedence: 3, status: "loaded", keys: ["envelope"], shadowed_keys: ["model"] },
    { path: folder, precedence: 4, status: "loaded", keys: ["model"], shadowed_keys: [] },
    { status: "not_found" },
  ]);
});

test("one section can be asked for, and only one that means something", async () => {
  const cwd = folderWith({ ".claw.json": { model: "a", permissions: { defaultMode: "read-only" } } });
  expect(await config(cwd, { section: "permissions" })).toMatchObject({
    section: "permissions",
    values: [{ key: "permissions.defaultMode", value: "read-only" }],
  });
  const outcome = await callVerb("config", { section: "modle" }, createTestPorts(cwd));
  expect(outcome).toMatchObject({ code: "UNSUPPORTED_CONFIG_SECTION", error: { hint: "Use one of: model." } });
});

test("a broken file makes the whole degraded and is named", async () => {
  const cwd = folderWith({ ".claw.json": "{" });
  const problem = `${join(cwd, ".claw.json")}: it is not JSON in line 1, column 2`;
  expect(await config(cwd)).toMatchObject({ status: "degraded", values: [], load_error: problem });
});

test("what is secret by its name is masked", async () => {
  const cwd = folderWith({ ".claw.json": { apiKey: "visible?", credentials: { github: "visible?" } } });
  expect((await config(cwd))["values"]).toMatchObject([
    { key: "apiKey", value: MASK },
    { key: "credentials.github", value: MASK },
  ]);
});

test("what is handed to programs and servers is masked whatever its name is", async () => {
  const cwd = folderWith({
    ".claw.json": {
      env: { REGION: "hidden?" },
      mcpServers: {
        "a.b": { command: "x", args: ["--verbose"], env: { REGION: "hidden?" } },
        web: { url: "http://localhost:1/", headers: { "X-Team": "hidden?" } },
      },
      providers: { own: { kind: "openai", baseUrl: "http://localhost:2/", apiKey: "hidden?" } },
    },
  });
  const outcome = await callVerb("config", {}, createTestPorts(cwd, { env: { HOME: cwd } }));
  expect(outcome).toMatchObject({ data: { values: expect.any(Array) as unknown } });
  const shown = outcome.kind === "data" ? (outcome.data["values"] as { key: string; value: unknown }[]) : [];
  expect(Object.fromEntries(shown.map(({ key, value }) => [key, value]))).toEqual({
    "env.REGION": MASK,
    "mcpServers.a.b.command": "x",
    "mcpServers.a.b.args": ["--verbose"],
    "mcpServers.a.b.env.REGION": MASK,
    "mcpServers.web.url": "http://localhost:1/",
    "mcpServers.web.headers.X-Team": MASK,
    "providers.own.kind": "openai",
    "providers.own.baseUrl": "http://localhost:2/",
    "providers.own.apiKey": MASK,
  });
});

test("what a folder nobody trusts sets is not shown as a value, and said in a warning", async () => {
  const cwd = folderWith({ ".claw.json": { model: "a", hooks: { Stop: ["x"] } } });
  const outcome = await callVerb("config", {}, createTestPorts(cwd));
  expect(outcome).toMatchObject({
    data: { values: [{ key: "model" }], files: expect.any(Array) as unknown },
    notes: { warnings: [expect.stringMatching(/^UNTRUSTED_SETTING: 'hooks' in /)] },
  });
});

test("a list is decided by every file that adds to it", async () => {
  const cwd = folderWith({
    ".claw.json": { permissions: { deny: ["a"] } },
    ".claw/settings.json": { permissions: { deny: ["b"] } },
  });
  const { values, files } = await config(cwd);
  expect(values).toMatchObject([{ key: "permissions.deny", value: ["a", "b"] }]);
  const used = (files as { keys: string[]; shadowed_keys: string[] }[]).slice(2, 4);
  expect(used).toMatchObject([
    { keys: ["permissions.deny"], shadowed_keys: [] },
    { keys: ["permissions.deny"], shadowed_keys: [] },
  ]);
});
