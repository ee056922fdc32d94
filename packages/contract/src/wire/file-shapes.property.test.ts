import { describe, expect, test } from "vitest";
import { READABLE_RECORDS } from "../sessions/session-record.ts";
import { Settings } from "../settings/settings.ts";
import { checkOf } from "./check-shape.ts";
import { RECORD_SHAPES, SETTINGS_SHAPES } from "./file-shapes.generated.ts";
import type { Shape } from "./shape.ts";
import { shapeProblem } from "./shape-problem.ts";
import { countAccepted } from "./testing/near-shape.ts";

const settings: Shape = { is: "object", fields: SETTINGS_SHAPES };
const schemas = Object.entries({ ...READABLE_RECORDS, settings: Settings });

describe.each(schemas)("%s", (name, schema) => {
  const shape = RECORD_SHAPES[name] ?? settings;
  const accepts = (value: unknown): boolean => schema.safeParse(value).success;

  test.each([
    ["the check", checkOf(shape)],
    ["the search for a problem", (value: unknown) => shapeProblem(shape, value) === undefined],
  ])("%s accepts exactly what the schema accepts", (_name, check) => {
    const counts = countAccepted(shape, check, accepts);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(40);
  });
});
