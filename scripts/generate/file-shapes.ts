import { fieldShapesOf, READABLE_RECORDS, Settings } from "@claw/contract/schemas";
import type * as z from "zod";
import { shortObjects } from "./short-shapes.ts";

const FILE = "packages/contract/src/wire/file-shapes.generated.ts";

/** The shapes of what claw reads from files, for programs that start without the schema library. */
export function fileShapes(): Map<string, string> {
  const schemas: Readonly<Record<string, z.core.$ZodObject>> = { settings: Settings, ...READABLE_RECORDS };
  const { short, shared } = shortObjects(
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, fieldShapesOf(schema, name)])),
  );
  const [settings, ...records] = short.map(([name, fields]) => [name, `() => (${JSON.stringify(fields)})`] as const);
  const text = [
    "// Made by `npm run generate`. Edit the schemas of settings and session records instead.",
    'import type { SharedShapes } from "./short-shape.ts";',
    "",
    "/** Shapes that the shapes below share. */",
    `export const SHARED_FILE_SHAPES = (): SharedShapes => ${JSON.stringify(shared)};`,
    "",
    "/** The settings, written short. */",
    `export const SETTINGS_SHAPE = ${settings?.[1]};`,
    "",
    "/** Session records by their type, written short. */",
    `export const RECORD_SHAPES = {\n${records.map(([type, shape]) => `  ${type}: ${shape},`).join("\n")}\n};`,
    "",
  ];
  return new Map([[FILE, text.join("\n")]]);
}
