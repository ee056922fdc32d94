import { RECORD_SHAPES, SETTINGS_SHAPE, SHARED_FILE_SHAPES } from "./file-shapes.generated.ts";
import type { FieldShape, Shape } from "./shape.ts";
import { lengthenFields } from "./short-shape.ts";

/** The shapes of the settings, by key. The caller keeps them. */
export const settingsShapes = (): Readonly<Record<string, FieldShape>> =>
  lengthenFields(SETTINGS_SHAPE(), SHARED_FILE_SHAPES());

/** What a reader asks of session records, by type. The caller keeps them. */
export const recordShapes = (): (readonly [type: string, shape: Shape])[] =>
  Object.entries(RECORD_SHAPES).map(([type, shape]) => {
    const fields = lengthenFields(shape(), SHARED_FILE_SHAPES());
    return [type, { is: "object", fields }];
  });
