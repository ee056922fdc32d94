import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { makeWorkerFolder } from "./worker-process.ts";

function counter(): () => string {
  let last = 0;
  return () => `p_${(last += 1)}`;
}

test("a new worker gets a folder that nobody had before, and no link for one", () => {
  const claws = temporaryFolder(onTestFinished);
  const elsewhere = temporaryFolder(onTestFinished);
  mkdirSync(join(claws, "workers", "p_1"), { recursive: true });
  writeFileSync(join(claws, "workers", "p_1", "state.json"), "{}");
  symlinkSync(elsewhere, join(claws, "workers", "p_2"));
  symlinkSync("nowhere", join(claws, "workers", "p_3"));
  const { peerId, folder } = makeWorkerFolder(claws, counter());
  expect([peerId, folder]).toEqual(["p_4", join(claws, "workers", "p_4")]);
  expect([readdirSync(folder), statSync(folder).mode & 0o777, readdirSync(elsewhere)]).toEqual([[], 0o700, []]);
});

test("a link in the place of all folders of workers is refused", () => {
  const claws = temporaryFolder(onTestFinished);
  symlinkSync(temporaryFolder(onTestFinished), join(claws, "workers"));
  const refused = expect.objectContaining({ code: "FILESYSTEM_ERROR" }) as Error;
  expect(() => makeWorkerFolder(claws, counter())).toThrow(refused);
});
