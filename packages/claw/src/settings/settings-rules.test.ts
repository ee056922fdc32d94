import { Settings } from "claw-contract/schemas";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KNOWN_KEYS, settingsProblem } from "./settings-rules.ts";

const scalar = fc.constantFrom<unknown>("", "x", "read-only", "root", 0, 1, -1, 0.5, 1e21, true, null);
const texts = fc.array(fc.oneof({ weight: 8, arbitrary: fc.constant("x") }, scalar), { maxLength: 3 });
const part = fc.oneof(scalar, texts);

const shape = (keys: readonly string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, part])), { requiredKeys: [] });

const provider = fc.record(
  { kind: fc.constantFrom("anthropic", "openai", "x"), baseUrl: scalar, apiKeyEnv: scalar, models: part },
  { requiredKeys: ["kind"] },
);

const price = shape(["input", "output", "cacheRead", "cacheWrite"]);

const named = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom("a", "b.c", "__proto__"), value, { maxKeys: 2 });

const anything = fc.oneof(
  fc.constantFrom("text", "json", "claw", "flat", "response", "auto", "off", "required", "", "x"),
  fc.jsonValue() as fc.Arbitrary<unknown>,
  part,
  shape(["allow", "ask", "deny", "additionalDirectories", "defaultMode", "thresholdTokens"]),
  named(scalar),
  named(provider),
  named(price),
);

test("the keys are those of the settings' schema", () => {
  expect(KNOWN_KEYS).toEqual(Object.keys(Settings.shape));
});

test("exactly what the schema accepts has no problem", () => {
  const files = fc.dictionary(fc.constantFrom(...KNOWN_KEYS, "other"), anything, { maxKeys: 2 });
  fc.assert(
    fc.property(files, (values) => {
      expect([settingsProblem(values) === undefined, values]).toEqual([Settings.safeParse(values).success, values]);
    }),
    { numRuns: 5000 },
  );
});

const provide = (value: object): object => ({ providers: { local: value } });

test.each([
  [{ permissions: { allow: ["bash(ls:*)"], deny: [], additionalDirectories: ["/a"] } }, undefined],
  [{ permissions: { deny: ["a", 1] } }, "'permissions' deny must be a list of texts"],
  [provide({ kind: "openai", baseUrl: "http://localhost:1" }), undefined],
  [provide({ kind: "openai" }), "'providers' has a wrong entry: baseUrl must be text"],
  [
    { prices: { m: { input: 1, output: -1 } } },
    "'prices' has a wrong entry: output must be a number that is not below 0",
  ],
  [{ env: { A: 1 } }, "'env' has a wrong entry: must be text"],
  [{ compaction: { thresholdTokens: 0 } }, "'compaction' thresholdTokens must be a whole number above 0"],
  [{ sandbox: "maybe" }, "'sandbox' must be one of auto, off, required"],
  [{ trustedRoots: "/a" }, "'trustedRoots' must be a list of texts"],
  [{ hooks: { PreToolUse: 5 }, mcpServers: { broken: null } }, undefined],
])("of %j it says what is wrong", (values, problem) => {
  expect(settingsProblem(values as Record<string, unknown>)).toBe(problem);
});
