import { describe, expect, test } from "vitest";
import { schemaNames } from "./registry.ts";
import { schemaTree } from "./schema-tree.ts";

const artifact = {
  type: "object",
  fields: {
    path: { type: "string" },
    type: { type: "string", optional: true },
    size_bytes: { type: "number", optional: true },
  },
};

describe("a schema as a tree", () => {
  test("shows fields, enums, arrays and what may be left out or null", () => {
    expect(schemaTree("worker-complete-v1")).toMatchObject({
      type: "object",
      fields: {
        result: { type: "enum", values: ["ok", "failed", "cancelled"] },
        summary: { type: "string" },
        artifacts: { type: "array", items: artifact },
        total_tokens: { type: "number", optional: true },
      },
    });
    expect(schemaTree("vehicle-content-v1")).toMatchObject({
      fields: { foregroundPid: { type: "number", nullable: true }, basename: { nullable: true, optional: true } },
    });
    expect(schemaTree("worker-phase-v1")).toMatchObject({
      fields: { metadata: { type: "record", values: { type: "unknown" }, optional: true } },
    });
    expect(schemaTree("envelope-v1")).toMatchObject({ fields: { v: { type: "literal", value: 1 } } });
  });

  test("joins the forms of an event into one", () => {
    expect(schemaTree("worker-event-v1")).toMatchObject({
      type: "object",
      fields: {
        kind: { type: "enum", values: ["BLOCKED", "REQUEST", "HARVEST", "ERROR", "DECISION", "PROGRESS", "LOG"] },
        severity: { type: "enum" },
        options: { type: "array", optional: true },
      },
    });
  });

  test("exists for every name, and for no other", () => {
    for (const name of schemaNames()) expect(schemaTree(name)?.type).toBe("object");
    expect(schemaTree("nothing-v1")).toBeUndefined();
  });
});
