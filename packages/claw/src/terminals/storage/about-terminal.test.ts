import { existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import {
  forgetOldTerminals,
  isTerminalId,
  makeTerminalFolder,
  readAbout,
  storedTerminals,
  terminalFolder,
} from "./about-terminal.ts";
import { segmentName } from "./raw-folder.ts";

const openFolder = (): string => {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

test("an id is a number that does not begin with zero", () => {
  const ids = ["1", "10", "1234567890123456", "0", "01", "", "-1", "1.5", "a", "1a", "../1", "12345678901234567"];
  expect(ids.filter(isTerminalId)).toEqual(["1", "10", "1234567890123456"]);
});

test("terminals are listed by number, and nothing else that lies there", () => {
  const folder = openFolder();
  expect(storedTerminals(folder)).toEqual([]);
  for (const id of ["10", "9", "100"]) makeTerminalFolder(folder, id);
  mkdirSync(terminalFolder(folder, "x"));
  expect(storedTerminals(folder)).toEqual(["9", "10", "100"]);
  expect(() => makeTerminalFolder(folder, "9")).toThrow("EEXIST");
});

test("what is known of a terminal is read from its own file, or it is not known", () => {
  const folder = openFolder();
  const put = (id: string, text: string): void =>
    writeFileSync(join(makeTerminalFolder(folder, id), "about.json"), text);
  put("1", '{"id":"1","name":"one"}');
  put("2", '{"id":"1"}');
  put("3", '{"id":');
  put("4", "null");
  expect(readAbout(folder, "1")).toEqual({ id: "1", name: "one" });
  for (const id of ["2", "3", "4", "5", "../1"]) expect(readAbout(folder, id)).toBeUndefined();
});

test("the newest closed terminals are kept, open ones always", () => {
  const folder = openFolder();
  const count = LIMITS.closedTerminals + 2;
  for (let id = 1; id <= count; id += 1) makeTerminalFolder(folder, String(id));
  forgetOldTerminals(folder, (id) => id === "1");
  expect(storedTerminals(folder)).toEqual(["1", ...Array.from({ length: count - 2 }, (_, index) => String(index + 3))]);
});

test("of much output the newest is kept, up to the byte", () => {
  const folder = openFolder();
  const fill = (id: string, size: number): void => {
    const path = join(makeTerminalFolder(folder, id), segmentName(0));
    writeFileSync(path, "");
    truncateSync(path, size);
  };
  fill("1", 1);
  fill("2", LIMITS.closedTerminalsBytes / 2);
  fill("3", LIMITS.closedTerminalsBytes / 2);
  forgetOldTerminals(folder, () => false);
  expect(["1", "2", "3"].map((id) => existsSync(terminalFolder(folder, id)))).toEqual([false, true, true]);
});
