import { fieldShapesOf, READABLE_RECORDS, Settings, shapeOf } from "claw-contract/schemas";
import { parsedObject } from "./parsed-data.ts";

const FILE = "packages/contract/src/wire/file-shapes.generated.ts";

/** The shapes of what claw reads from files, for programs that start without the schema library. */
export function fileShapes(): Map<string, string> {
  const settings = Object.entries(fieldShapesOf(Settings, "settings"));
  const records = Object.entries(READABLE_RECORDS).map(([type, schema]) => [type, shapeOf(schema, type)] as const);
  const text = [
    "// Made by `npm run generate`. Edit the schemas of settings and session records instead.",
    'import type { FieldShape, Shape } from "./shape.ts";',
    "",
    "/** The settings, by key. */",
    `export const SETTINGS_SHAPES = ${parsedObject(settings)} as Readonly<Record<string, FieldShape>>;`,
    "",
    "/** What a reader asks of session records, by type. */",
    `export const RECORD_SHAPES = ${parsedObject(records)} as Readonly<Record<string, Shape>>;`,
    "",
  ];
  return new Map([[FILE, text.join("\n")]]);
}
