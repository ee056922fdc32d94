import { clientShapeFiles } from "./client-shapes.ts";
import { errorReference, wireErrors } from "./error-reference.ts";
import { eventChecks } from "./event-checks.ts";
import { fileShapes } from "./file-shapes.ts";
import { hostReference } from "./host-reference.ts";
import { hostTable } from "./host-table.ts";
import { priceTable } from "./price-table.ts";
import { schemaFiles } from "./schema-files.ts";
import { toolTable } from "./tool-table.ts";
import { verbReference } from "./verb-reference.ts";
import { verbTable } from "./verb-table.ts";
import { wireReference } from "./wire-reference.ts";
import { wireTable } from "./wire-table.ts";

/** Everything that is derived from the contract, by path. */
export function derivedFiles(): Map<string, string> {
  return new Map([
    ...verbTable(),
    ...toolTable(),
    ...wireTable(),
    ...clientShapeFiles(),
    ...hostTable(),
    ...eventChecks(),
    ...fileShapes(),
    ...priceTable(),
    ...errorReference(),
    ...wireErrors(),
    ...verbReference(),
    ...wireReference(),
    ...hostReference(),
    ...schemaFiles(),
  ]);
}
