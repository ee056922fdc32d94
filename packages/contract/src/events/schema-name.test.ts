import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatSchemaName, isSameSchema, parseSchemaName } from "./schema-name.ts";

describe("schema names", () => {
  test("a name is a base and a version", () => {
    expect(parseSchemaName("worker-boot-v1")).toEqual({ base: "worker-boot", version: 1 });
    expect(parseSchemaName("cmd-set-phase-v12")).toEqual({ base: "cmd-set-phase", version: 12 });
    expect(parseSchemaName("a-v1-v2")).toEqual({ base: "a-v1", version: 2 });
  });

  test.each([
    "worker-boot",
    "worker-boot-v0",
    "worker-boot-v01",
    "worker-boot-v-1",
    "worker-boot-v1.0",
    "worker-boot-v1\n",
    "Worker-boot-v1",
    "-v1",
    "v1",
    "claws/2",
    "",
    "a-v9999999",
    `${"a".repeat(200)}-v1`,
    `${"a-".repeat(500_000)}v1`,
    null,
    undefined,
    1,
    {},
  ])("%j is no name", (name) => {
    expect(parseSchemaName(name)).toBeNull();
  });

  test("formatting and parsing are inverse", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,8}(-[a-z]{1,8}){0,3}$/),
        fc.integer({ min: 1, max: 999_999 }),
        (base, version) => {
          expect(parseSchemaName(formatSchemaName({ base, version }))).toEqual({ base, version });
        },
      ),
    );
  });

  test("versions of one schema belong together", () => {
    expect(isSameSchema("worker-boot-v1", "worker-boot-v2")).toBe(true);
    expect(isSameSchema("worker-boot-v1", "worker-phase-v1")).toBe(false);
    expect(isSameSchema("claws/2", "claws/2")).toBe(false);
  });
});
