import { verbTable } from "./verb-table.ts";

/** Everything that is derived from the contract, by path. */
export function derivedFiles(): Map<string, string> {
  return new Map(verbTable());
}
