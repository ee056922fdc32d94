import { Settings } from "@claw/contract/schemas";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KNOWN_KEYS, settingsProblem } from "./settings-rules.ts";

const anything = fc.oneof(
  fc.constantFrom("text", "json", "claw", "flat", "response", "read-only", "workspace-write", "", "x"),
  fc.jsonValue() as fc.Arbitrary<unknown>,
  fc.record(
    { defaultMode: fc.constantFrom<unknown>("read-only", "danger-full-access", "root", 1, null) },
    { requiredKeys: [] },
  ),
);

test("the keys are those of the settings' schema", () => {
  expect(KNOWN_KEYS).toEqual(Object.keys(Settings.shape));
});

test("exactly what the schema accepts has no problem", () => {
  const files = fc.dictionary(fc.constantFrom(...KNOWN_KEYS, "other"), anything);
  fc.assert(
    fc.property(files, (values) => {
      expect(settingsProblem(values) === undefined).toBe(Settings.safeParse(values).success);
    }),
    { numRuns: 2000 },
  );
});
