import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_CODES } from "claw-contract";
import { jsonSchema } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { derivedFiles } from "../scripts/generate/derived-files.ts";
import { sourceIndexes } from "../scripts/generate/sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const expected = new Map([...sourceIndexes(root), ...derivedFiles()]);

test.each([...expected.keys()])("%s is what `npm run generate` makes", (path) => {
  expect(read(path)).toBe(expected.get(path));
});

test("docs/generated holds nothing that is not generated", () => {
  const present = readdirSync(join(root, "docs/generated"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  expect(present.filter((path) => !expected.has(path))).toEqual([]);
});

test("catalogue, error page and envelope schema list the same codes", () => {
  const inPage = [...read("docs/generated/errors.md").matchAll(/^\| `([A-Z_]+)` \| `[a-z_]+` \|/gm)].map(
    ([, code]) => code,
  );
  const envelope = jsonSchema("envelope.response") as {
    properties: { error: { anyOf: { properties?: { code: { enum: string[] } } }[] } };
  };
  const inSchema = envelope.properties.error.anyOf.find((branch) => branch.properties !== undefined)?.properties?.code
    .enum;
  expect(inPage).toEqual(ERROR_CODES);
  expect(inSchema).toEqual(ERROR_CODES);
});
