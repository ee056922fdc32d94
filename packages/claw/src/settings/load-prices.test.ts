import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRICES_AS_OF } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { loadPrices } from "./load-prices.ts";

/** Loads prices where the user's settings, and the file they name, hold this. */
function load(settings: object, file: string | null = null) {
  const home = temporaryFolder(onTestFinished);
  const folder = join(home, ".claw");
  mkdirSync(folder);
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  if (file !== null) writeFileSync(join(folder, "prices.json"), file);
  const { path, problem, ...loaded } = loadPrices(join(home, "nowhere"), { HOME: home });
  return { ...loaded, path: path?.slice(home.length) ?? null, problem: problem?.slice(home.length) ?? null };
}

const NAMED = { pricesFile: "prices.json" };
const PATH = "/.claw/prices.json";

test("without settings, the prices that are part of claw hold", () => {
  expect(load({})).toEqual({ prices: {}, asOf: PRICES_AS_OF, path: null, problem: null });
});

test("a file adds prices with its own date, and the settings' own prices come before it", () => {
  const above = [{ tokens: 10, input: 3, output: 3 }];
  const file = { as_of: "2026-11-01", prices: { a: { input: 1, output: 2, above }, b: { input: 1, output: 1 } } };
  const own = { b: { input: 9, output: 9 } };
  expect(load({ ...NAMED, prices: own }, JSON.stringify(file))).toEqual({
    prices: { ...file.prices, ...own },
    asOf: "2026-11-01",
    path: PATH,
    problem: null,
  });
});

test.each([
  [null, "cannot be read"],
  ["{", "has no date in `as_of`, for example 2026-11-01"],
  ['{"as_of":"soon","prices":{}}', "has no date in `as_of`, for example 2026-11-01"],
  ['{"as_of":"2026-11-01"}', "has no `prices`"],
  ['{"as_of":"2026-11-01","prices":{"a":{"input":-1,"output":1}}}', "'prices' has a wrong entry"],
])("a file with %j counts for nothing, and is told of", (file, problem) => {
  expect(load(NAMED, file)).toMatchObject({ prices: {}, asOf: PRICES_AS_OF, path: PATH });
  expect(load(NAMED, file).problem).toContain(problem);
});
