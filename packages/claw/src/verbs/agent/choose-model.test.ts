import { describe, expect, test } from "vitest";
import type { LoadedSettings } from "../../settings/index.ts";
import { chooseModel, choosePermissionMode, DEFAULT_MODEL, isModelId } from "./choose-model.ts";

const settings = (values: Record<string, unknown>): LoadedSettings => ({
  files: [],
  values: new Map(Object.entries(values).map(([key, value]) => [key, { key, value, file: "f" }])),
  merged: {},
  isTrusted: false,
  error: null,
  warnings: [],
});

describe("the model", () => {
  const env = { CLAW_MODEL: "c", ANTHROPIC_MODEL: "a", ANTHROPIC_DEFAULT_MODEL: "d" };
  const set = settings({ model: "s" });

  test("is the flag's, then the environment's in order, then the settings', then the default", () => {
    expect([
      chooseModel("f", set, env),
      chooseModel(undefined, set, env),
      chooseModel(undefined, set, { ...env, CLAW_MODEL: "" }),
      chooseModel(undefined, set, { ANTHROPIC_DEFAULT_MODEL: "d" }),
      chooseModel(undefined, set, {}),
      chooseModel(undefined, settings({ model: 5 }), {}),
    ]).toEqual([
      { value: "f", source: "flag", variable: null },
      { value: "c", source: "env", variable: "CLAW_MODEL" },
      { value: "a", source: "env", variable: "ANTHROPIC_MODEL" },
      { value: "d", source: "env", variable: "ANTHROPIC_DEFAULT_MODEL" },
      { value: "s", source: "config", variable: null },
      { value: DEFAULT_MODEL, source: "default", variable: null },
    ]);
  });

  test("can have any id without blanks", () => {
    const ids = ["claude-opus-4-5", "openai/gpt-5:free", "ünï", "", "a b", "a\n", "a\0", "x".repeat(201)];
    expect(ids.map(isModelId)).toEqual([true, true, true, false, false, false, false, false]);
  });
});

test("the permission mode is chosen the same way", () => {
  const set = settings({ "permissions.defaultMode": "read-only" });
  expect([
    choosePermissionMode("danger-full-access", set, { CLAW_PERMISSION_MODE: "workspace-write" }),
    choosePermissionMode(undefined, set, { CLAW_PERMISSION_MODE: "workspace-write" }),
    choosePermissionMode(undefined, set, {}),
    choosePermissionMode(undefined, settings({}), {}),
  ]).toEqual([
    { value: "danger-full-access", source: "flag", variable: null },
    { value: "workspace-write", source: "env", variable: "CLAW_PERMISSION_MODE" },
    { value: "read-only", source: "config", variable: null },
    { value: "workspace-write", source: "default", variable: null },
  ]);
});
