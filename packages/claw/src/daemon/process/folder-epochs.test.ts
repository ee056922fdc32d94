import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { epochsOf } from "./folder-epochs.ts";
import { workspaceFiles } from "./workspace-files.ts";

function createFolder() {
  const files = workspaceFiles(temporaryFolder(onTestFinished));
  mkdirSync(files.log, { recursive: true });
  return { files, open: () => epochsOf({ fs: nodeFileSystem, files }) };
}

test("a folder knows the epochs of its own log and of each cluster that it followed", () => {
  const { open } = createFolder();
  expect([open().own(), open().of("team"), open().highest()]).toEqual([0, 0, 0]);
  open().keepOwn(1);
  open().keep("team", 3);
  open().keep("crew", 2);
  const epochs = open();
  expect([epochs.own(), epochs.of("team"), epochs.of("crew"), epochs.highest()]).toEqual([1, 3, 2, 3]);
});

test("a log whose epoch was not remembered counts by what it says itself", () => {
  const { files, open } = createFolder();
  writeFileSync(join(files.log, "meta.json"), '{"version":1,"epoch":"0004"}\n');
  const line = '{"topic":"t","from":"p_1","ts_server":"2026-01-01T00:00:00.000Z","payload":1,"sequence":1}\n';
  writeFileSync(join(files.log, "000000000001.jsonl"), line);
  expect([open().own(), open().highest()]).toEqual([4, 4]);
});
