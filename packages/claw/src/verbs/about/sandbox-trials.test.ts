import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findTrial, storeTrial } from "./sandbox-trials.ts";

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const WORKS = { kind: "bubblewrap", reason: null } as const;
const FAILS = { kind: null, reason: "bubblewrap is not installed" } as const;

function openPlace(workspace = "/project") {
  const state = temporaryFolder(onTestFinished);
  const env = { XDG_STATE_HOME: state, PATH: "/bin", HOME: state };
  return { place: { workspace, env }, folder: join(state, "claw"), record: join(state, "claw", "sandbox-trials.json") };
}

test("a trial counts for ten minutes, and never before it was made", () => {
  const { place } = openPlace();
  expect(findTrial(place, NOW)).toBeUndefined();
  storeTrial(place, WORKS, NOW);
  expect(findTrial(place, NOW + 10 * MINUTE - 1)).toMatchObject(WORKS);
  expect(findTrial(place, NOW + 10 * MINUTE)).toBeUndefined();
  expect(findTrial(place, NOW - 1)).toBeUndefined();
});

test("a newer trial of the same place takes the place of the older", () => {
  const { place, record } = openPlace();
  storeTrial(place, WORKS, NOW);
  storeTrial(place, FAILS, NOW + MINUTE);
  expect(findTrial(place, NOW + MINUTE)).toMatchObject(FAILS);
  expect(JSON.parse(readFileSync(record, "utf8"))).toHaveLength(1);
});

test("another workspace, path or home has a trial of its own", () => {
  const { place } = openPlace();
  storeTrial(place, WORKS, NOW);
  for (const env of [{ PATH: "/usr/bin" }, { HOME: "/home/other" }]) {
    expect(findTrial({ ...place, env: { ...place.env, ...env } }, NOW)).toBeUndefined();
  }
  expect(findTrial({ ...place, workspace: "/project/other" }, NOW)).toBeUndefined();
});

test("the oldest of many trials is forgotten", () => {
  const { place } = openPlace();
  const each = (index: number) => ({ ...place, workspace: `/project/${index}` });
  for (let index = 0; index < 33; index += 1) storeTrial(each(index), WORKS, NOW);
  expect([findTrial(each(0), NOW), findTrial(each(1), NOW)]).toEqual([undefined, expect.objectContaining(WORKS)]);
});

test.each([
  ["text", "not JSON"],
  ["an object", "{}"],
  ["other entries", JSON.stringify([1, null, { key: 1 }, { key: "k", triedAtMs: NOW, kind: "magic", reason: null }])],
  ["too much", `[${" ".repeat(300_000)}]`],
])("a record that holds %s holds no trial, and is replaced", (_name, text) => {
  const { place, folder, record } = openPlace();
  mkdirSync(folder);
  writeFileSync(record, text);
  expect(findTrial(place, NOW)).toBeUndefined();
  storeTrial(place, WORKS, NOW);
  expect(findTrial(place, NOW)).toMatchObject(WORKS);
});

test("a record that is a link is not read", () => {
  const [from, { place, folder, record }] = [openPlace(), openPlace()];
  storeTrial(from.place, WORKS, NOW);
  mkdirSync(folder);
  symlinkSync(from.record, record);
  expect(
    findTrial({ ...place, env: { ...from.place.env, XDG_STATE_HOME: place.env.XDG_STATE_HOME } }, NOW),
  ).toBeUndefined();
});

test("where nothing can be stored, nothing is", () => {
  const { place, folder } = openPlace();
  writeFileSync(folder, "in the way");
  chmodSync(folder, 0o400);
  storeTrial(place, WORKS, NOW);
  expect(findTrial(place, NOW)).toBeUndefined();
});
