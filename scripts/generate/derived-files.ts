import { errorReference } from "./error-reference.ts";
import { priceTable } from "./price-table.ts";
import { schemaFiles } from "./schema-files.ts";
import { verbReference } from "./verb-reference.ts";
import { verbTable } from "./verb-table.ts";

/** Everything that is derived from the contract, by path. */
export function derivedFiles(): Map<string, string> {
  return new Map([...verbTable(), ...priceTable(), ...errorReference(), ...verbReference(), ...schemaFiles()]);
}
