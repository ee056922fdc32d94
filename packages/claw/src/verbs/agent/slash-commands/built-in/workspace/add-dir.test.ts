import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../files/testing/temporary-folder.ts";
import type { Ports } from "../../../../runtime/handle.ts";
import { PLAIN_PAINT } from "../../../../runtime/paint.ts";
import { createTestPorts } from "../../../../testing/test-ports.ts";
import { addDir } from "./add-dir.ts";
import { createVerbCaller } from "../../execute-command.ts";

interface Scene {
  readonly cwd: string;
  readonly outside: string;
  readonly ports: Ports;
}

function createScene(): Scene {
  const base = temporaryFolder(onTestFinished);
  const [cwd, outside] = [join(base, "work"), join(base, "outside")];
  mkdirSync(cwd);
  mkdirSync(outside);
  return { cwd, outside, ports: createTestPorts(cwd) };
}

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});

const order = (words: string, dryRun = false) => {
  const { ports } = scene;
  const context = { ports, session: null, commands: [], paint: PLAIN_PAINT, dryRun };
  return addDir.run(words, { ...context, ...createVerbCaller(ports, PLAIN_PAINT) }, ports.signal);
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

describe("a folder", () => {
  test.each(["src/util", "create src/util/", "Create src/util", "./src//util//", "src/other/../util"])(
    "is created by '%s'",
    async (words) => {
      const path = join(scene.cwd, "src/util");
      expect(await order(words)).toEqual({ handled: true, message: `created directory ${path}`, effect: "created" });
      expect(isFolder(path)).toBe(true);
    },
  );

  test("named create is created too", async () => {
    await order("create");
    expect(readdirSync(scene.cwd)).toEqual(["create"]);
  });

  test("that is there already is left as it is, which is said", async () => {
    await order("src");
    writeFileSync(join(scene.cwd, "src/kept.txt"), "kept");
    expect(await order("src")).toMatchObject({
      handled: true,
      effect: "noop",
      message: expect.stringContaining("already") as string,
    });
    expect(readdirSync(join(scene.cwd, "src"))).toEqual(["kept.txt"]);
  });

  test("is not made in a dry run", async () => {
    const path = join(scene.cwd, "src/util");
    expect(await order("src/util", true)).toMatchObject({ effect: "would_create", wouldAffect: [path] });
    expect(readdirSync(scene.cwd)).toEqual([]);
  });

  test("may be reached through a link that stays inside", async () => {
    mkdirSync(join(scene.cwd, "real"));
    symlinkSync("real", join(scene.cwd, "link"));
    await order("link/sub");
    expect(isFolder(join(scene.cwd, "real/sub"))).toBe(true);
  });
});

describe("outside of the working folder", () => {
  test.each([
    "../outside/made",
    "..",
    "../work-2",
    "~/made",
    "/tmp/claw-never-made",
    "src/../../made",
    "link/made",
    "link/a/b",
  ])("'%s' is refused", async (words) => {
    symlinkSync(scene.outside, join(scene.cwd, "link"));
    const ports = createTestPorts(scene.cwd, { env: { HOME: scene.outside } });
    scene = { ...scene, ports };
    await expect(order(words)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(order(words, true)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(readdirSync(scene.outside)).toEqual([]);
    expect(readdirSync(scene.cwd)).toEqual(["link"]);
    expect(statSync(join(scene.cwd, "../work-2"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a link that leads nowhere is no way out", async () => {
    symlinkSync(join(scene.outside, "later"), join(scene.cwd, "link"));
    await expect(order("link")).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
    await expect(order("link/sub")).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
    expect(readdirSync(scene.outside)).toEqual([]);
  });
});

describe("what cannot be a folder", () => {
  test.each(["", "a\0b"])("is not handled: '%s'", async (words) => {
    expect(await order(words)).toMatchObject({ handled: false, effect: "noop" });
  });

  test("because a file is there is not handled, and the file stays", async () => {
    writeFileSync(join(scene.cwd, "taken"), "mine");
    expect(await order("taken")).toMatchObject({ handled: false, effect: "noop" });
    await expect(order("taken/sub")).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
    expect(statSync(join(scene.cwd, "taken")).isFile()).toBe(true);
  });

  test("because its name is too long is an error of the disk", async () => {
    await expect(order("x".repeat(300))).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
  });
});
