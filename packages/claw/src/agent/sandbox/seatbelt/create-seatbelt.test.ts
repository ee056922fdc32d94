import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { probeSandbox } from "../probe-sandbox.ts";
import type { Confinement, Sandbox } from "../sandbox.ts";
import { createSeatbelt } from "./create-seatbelt.ts";
import type { SeatbeltProfile } from "./seatbelt-profile.ts";
import { allows } from "./testing/judge-profile.ts";

/** Stands for the program of macOS, which is only looked for here. */
const PROGRAM = "/bin/sh";

function open(): { readonly sandbox: Sandbox; readonly root: string; readonly home: string } {
  const home = temporaryFolder(onTestFinished);
  const root = join(home, "work");
  mkdirSync(join(root, ".git"), { recursive: true });
  const place = { workspace: { root, extraFolders: [] }, env: { PATH: "/usr/bin", HOME: home }, home };
  return { sandbox: createSeatbelt(place, PROGRAM) as Sandbox, root, home };
}

/** The profile that a command line starts with, and the command behind it. */
function split([program, ...words]: readonly string[]): { profile: SeatbeltProfile; command: readonly string[] } {
  const at = words.indexOf("-p");
  const pairs = words.slice(0, at).filter((word) => word !== "-D");
  const parameters = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  expect(program).toBe(PROGRAM);
  return { profile: { text: words[at + 1] ?? "", parameters }, command: words.slice(at + 2) };
}

const writes = (profile: SeatbeltProfile, ...paths: string[]): boolean[] =>
  paths.map((path) => allows(profile, "file-write-data", path));

test("a command may write its workspace, but not what configures claw and git there, nor anything else", () => {
  const { sandbox, root, home } = open();
  const { profile } = split(sandbox.wrap(["ls"], { cwd: root, writable: true }));
  expect(writes(profile, join(root, "a"), join(root, ".git", "index"))).toEqual([true, true]);
  const kept = [".claw/settings.json", ".claw.json", ".git/config", ".git/hooks/pre-commit"].map((name) =>
    join(root, name),
  );
  expect(writes(profile, ...kept, root, join(root, ".git"), join(home, "a"))).toEqual([
    ...kept.map(() => false),
    false,
    false,
    false,
  ]);
});

test("a command in a workspace that is only read writes nothing", () => {
  const { sandbox, root } = open();
  const { profile } = split(sandbox.wrap(["ls"], { cwd: root, writable: false }));
  expect([writes(profile, join(root, "a")), allows(profile, "file-read-data", join(root, "a"))]).toEqual([
    [false],
    true,
  ]);
});

test("a watched command gets an empty folder in place of home and /tmp, which is gone when the command has ended", () => {
  const { sandbox, root } = open();
  const watch = sandbox.guard({ cwd: root, writable: true });
  const { temporary = "" } = watch.confinement;
  const { profile, command } = split(sandbox.wrap(["ls"], watch.confinement));
  expect(command).toEqual(["/usr/bin/env", `TMPDIR=${temporary}`, `HOME=${temporary}`, "ls"]);
  expect([existsSync(temporary), ...writes(profile, join(temporary, "a"))]).toEqual([true, true]);
  expect([watch.settle().removed, existsSync(temporary)]).toEqual([[], false]);
});

test("files that rules keep are hidden or fixed, and cannot be moved with their folder", () => {
  const { sandbox, root } = open();
  mkdirSync(join(root, "keys"));
  writeFileSync(join(root, "keys", "key"), "");
  const kept = { hidden: [join(root, "keys", "key")], fixed: [join(root, "plan.md")] };
  const { profile } = split(sandbox.wrap(["ls"], { cwd: root, writable: true, kept }));
  const paths = [join(root, "keys", "key"), join(root, "plan.md"), join(root, "keys"), join(root, "keys", "other")];
  expect(writes(profile, ...paths)).toEqual([false, false, false, true]);
  expect(paths.map((path) => allows(profile, "file-read-data", path))).toEqual([false, true, true, true]);
});

test("the folder of a daemon is hidden, but the socket of the worker can be reached", () => {
  const { sandbox, root } = open();
  mkdirSync(join(root, ".claws"));
  const bus = { socket: "/private/state/bus.sock", token: "t", name: "n" };
  const { profile } = split(sandbox.wrap(["ls"], { cwd: root, writable: true, bus }));
  expect(allows(profile, "file-read-data", join(root, ".claws", "claws.sock"))).toBe(false);
  expect(allows(profile, "network-outbound", bus.socket)).toBe(true);
  expect(sandbox.busSocket(bus)).toBe(bus.socket);
});

test("a confinement with a private git folder is refused, because nothing can be shown in another place", () => {
  const { sandbox, root } = open();
  const git = { folder: "/f", own: "/o", objects: "/b", tree: root };
  const confinement: Confinement = { cwd: root, writable: true, git };
  expect(() => sandbox.wrap(["ls"], confinement)).toThrow(expect.objectContaining({ code: "PERMISSION_DENIED" }));
});

test("without its program there is none, and the reason names the program", () => {
  const root = temporaryFolder(onTestFinished);
  const workspace = { root, extraFolders: [] };
  expect(createSeatbelt({ workspace, env: {}, home: "/Users/a" }, "/nowhere/sandbox-exec")).toBeNull();
  const probe = (platform: NodeJS.Platform) => probeSandbox({ workspace, env: { PATH: "/usr/bin" }, platform });
  expect([probe("darwin"), probe("win32")]).toEqual([
    { kind: "unavailable", reason: "sandbox-exec is not installed" },
    { kind: "unavailable", reason: "there is no sandbox for win32" },
  ]);
});
