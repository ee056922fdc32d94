import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { descriptorPlace } from "./descriptor-place.ts";

test("an open folder is reached by its name after another has taken its path", () => {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, "a"));
  writeFileSync(join(folder, "a", "own"), "text");
  const fd = openSync(join(folder, "a"), "r");
  onTestFinished(() => closeSync(fd));
  renameSync(join(folder, "a"), join(folder, "b"));
  mkdirSync(join(folder, "a"));
  const place = descriptorPlace(fd) ?? "";
  expect([readdirSync(place), readFileSync(join(place, "own"), "utf8")]).toEqual([["own"], "text"]);
  expect(descriptorPlace(fd, process.pid)).toBe(`/proc/${process.pid}/fd/${fd}`);
});

test("a system without such names has none", () => {
  expect(descriptorPlace(3, "self", "/not-there")).toBeNull();
});
