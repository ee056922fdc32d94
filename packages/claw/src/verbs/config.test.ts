import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MASK } from "@claw/contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { callVerb } from "./handle.conformance.ts";
import { createTestPorts } from "./testing/test-ports.ts";

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
