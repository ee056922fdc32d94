import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Lines that `sha256sum -c` reads, sorted by name. */
export function checksums(folder: string, names: readonly string[]): string {
  const digest = (name: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return names
    .toSorted()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join("");
}
