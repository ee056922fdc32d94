import { expect, test } from "vitest";
import { compareVersions } from "./compare-versions.ts";

test("versions are ordered by their numbers, not by their digits", () => {
  const versions = ["2.1.325", "0.166.0", "2.1.63", "10.0.0", "2.1.198"];
  expect(versions.toSorted(compareVersions)).toEqual(["0.166.0", "2.1.63", "2.1.198", "2.1.325", "10.0.0"]);
});

test("what follows the numbers does not count", () => {
  expect([compareVersions("1.2.3-beta.1", "1.2.3"), compareVersions("1.2", "1.2.0")]).toEqual([0, 0]);
});
