import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { isTerminal } from "./is-terminal.ts";

function opened(path: string): number {
  const fd = openSync(path, "r");
  onTestFinished(() => closeSync(fd));
  return fd;
}

test.each([
  ["the null device", devNull],
  ["a device that is no terminal", "/dev/zero"],
  ["a file", fileURLToPath(import.meta.url)],
])("%s is no terminal", (_name, path) => {
  expect(isTerminal(opened(path))).toBe(false);
});

test("a closed descriptor is no terminal", () => {
  const fd = openSync(devNull, "r");
  closeSync(fd);
  expect(isTerminal(fd)).toBe(false);
});
