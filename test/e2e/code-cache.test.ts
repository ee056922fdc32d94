import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { BINARY, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

const IS_ROOT = process.getuid?.() === 0;
const ENTRY = "list-sessions.claw.cjs";

/** Tells what V8 thought of the compiled code of each file: `false` when it took it, `undefined` when there was none. */
const SPY = `
const vm = require("node:vm");
const refused = {};
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    refused[require("node:path").basename(options.filename)] = String(this.cachedDataRejected);
  }
};
process.on("exit", () => require("node:fs").writeFileSync(process.env.SPY, JSON.stringify(refused)));
`;

interface Scene {
  readonly workspace: Workspace;
  /** The folder of all builds. */
  readonly home: string;
}

function prepare(): Scene {
  const workspace = createWorkspace();
  writeFileSync(join(workspace.home, "spy.cjs"), SPY);
  return { workspace, home: join(workspace.home, ".cache", "claw", "code") };
}

const own = { XDG_CACHE_HOME: undefined };

/** Lists the sessions, and resolves with what V8 thought of the compiled code of the entry. */
async function list({ workspace }: Scene, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [spy, said] = [join(workspace.home, "spy.cjs"), join(workspace.home, randomUUID())];
  const child = spawn(process.execPath, ["--require", spy, BINARY, "list-sessions"], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, { ...own, ...env, SPY: said }),
  });
  expect(await outputOf(child)).toMatchObject({ exitCode: 0, stderr: "" });
  return (JSON.parse(readFileSync(said, "utf8")) as Record<string, string>)["claw.cjs"] ?? "not loaded";
}

/** The one folder of this build. */
function buildFolder({ home }: Scene): string {
  const [name = "", ...others] = readdirSync(home);
  expect(others).toEqual([]);
  return join(home, name);
}

describe("compiled code", () => {
  test("is kept by the first start for this user alone, and used by the next", async () => {
    const scene = prepare();
    expect(await list(scene)).toBe("undefined");
    const folder = buildFolder(scene);
    expect(folder).toMatch(new RegExp(`/\\d+\\.\\d+\\.\\d+-[0-9a-f]{16}-${process.version}-${process.arch}--require$`));
    expect(readdirSync(folder)).toEqual([ENTRY]);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    const { ino, mode } = lstatSync(join(folder, ENTRY));
    expect(mode & 0o777).toBe(0o600);
    expect(await list(scene)).toBe("false");
    expect(lstatSync(join(folder, ENTRY)).ino).toBe(ino);
  });

  test("is kept apart for each kind of call, and not for calls that fail", async () => {
    const scene = prepare();
    for (const args of [["help"], ["statuz"], ["--version"], ["load-session", "none"], ["a b"], ["../x"]]) {
      await runClaw(scene.workspace, args, { env: own });
    }
    expect(readdirSync(buildFolder(scene)).filter((name) => name.endsWith(".claw.cjs"))).toEqual([
      "--version.claw.cjs",
      "help.claw.cjs",
    ]);
  });

  test("of a daemon is kept when it ends", async () => {
    const scene = prepare();
    for (const verb of ["up", "down"]) {
      expect(await runClaw(scene.workspace, [verb], { env: own })).toMatchObject({ exitCode: 0 });
    }
    expect(readdirSync(buildFolder(scene))).toContain("up.daemon.cjs");
  });

  test("of many first starts at once is whole", async () => {
    const scene = prepare();
    await Promise.all(Array.from({ length: 6 }, () => list(scene)));
    expect(readdirSync(buildFolder(scene))).toEqual([ENTRY]);
    expect(await list(scene)).toBe("false");
  });

  test.each([
    ["cut", (path: string) => truncateSync(path, 1000)],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["full of zeros", (path: string) => writeFileSync(path, Buffer.alloc(100_000))],
  ])("that is %s is refused and replaced", async (_how, spoil) => {
    const scene = prepare();
    await list(scene);
    spoil(join(buildFolder(scene), ENTRY));
    expect([await list(scene), await list(scene)]).toEqual(["true", "false"]);
  });

  test("under other flags of Node is kept apart, because V8 refuses the code of calls without them", async () => {
    const scene = prepare();
    const flags = { NODE_OPTIONS: "--max-old-space-size=300" };
    expect([await list(scene), await list(scene, flags)]).toEqual(["undefined", "undefined"]);
    expect([await list(scene), await list(scene, flags)]).toEqual(["false", "false"]);
  });

  test("of older builds goes when a new build starts, except the newest", async () => {
    const scene = prepare();
    for (const [age, name] of ["newest", "new", "third", "fourth", "fifth", "old", "oldest"].entries()) {
      mkdirSync(join(scene.home, name), { recursive: true, mode: 0o700 });
      writeFileSync(join(scene.home, name, ENTRY), "x");
      utimesSync(join(scene.home, name), 1_700_000_000 - age, 1_700_000_000 - age);
    }
    await list(scene);
    const left = readdirSync(scene.home);
    expect(left).toHaveLength(6);
    expect(left).toEqual(expect.arrayContaining(["newest", "new", "third", "fourth", "fifth"]));
  });
});

describe("compiled code is neither read nor written", () => {
  /** Fills the folder of this build, then makes it doubtful. */
  async function fill(): Promise<Scene & { readonly folder: string }> {
    const scene = prepare();
    await list(scene);
    return { ...scene, folder: buildFolder(scene) };
  }

  test.each([
    ["the folder can be written by a group", ({ folder }: { folder: string }) => chmodSync(folder, 0o770)],
    ["the folder can be written by all", ({ folder }: { folder: string }) => chmodSync(folder, 0o777)],
    ["a folder above can be written by all", ({ home }: Scene) => chmodSync(join(home, "..", ".."), 0o777)],
  ])("where %s", async (_what, spoil) => {
    const scene = await fill();
    spoil(scene);
    expect(await list(scene)).toBe("undefined");
    const file = join(scene.folder, ENTRY);
    const { ino } = lstatSync(file);
    expect(await list(scene)).toBe("undefined");
    expect(lstatSync(file).ino).toBe(ino);
  });

  test("when the file can be written by others", async () => {
    const scene = await fill();
    chmodSync(join(scene.folder, ENTRY), 0o622);
    expect(await list(scene)).toBe("undefined");
    // Its place is safe, so a file of our own stands there now.
    expect(await list(scene)).toBe("false");
  });

  test.skipIf(!IS_ROOT)("where a folder or a file belongs to another user (needs root)", async () => {
    const another = 54_321;
    for (const spoil of [
      ({ folder }: { folder: string }) => chownSync(folder, another, another),
      ({ home }: Scene) => chownSync(join(home, ".."), another, another),
      ({ folder }: { folder: string }) => chownSync(join(folder, ENTRY), another, another),
    ]) {
      const scene = await fill();
      spoil(scene);
      expect(await list(scene)).toBe("undefined");
    }
  });

  test("through a link to a folder that others can write to", async () => {
    const scene = await fill();
    const elsewhere = join(scene.workspace.cwd, "elsewhere");
    mkdirSync(elsewhere);
    chmodSync(elsewhere, 0o777);
    symlinkSync(elsewhere, join(scene.workspace.home, "link"));
    const env = { XDG_CACHE_HOME: join(scene.workspace.home, "link") };
    expect(await list(scene, env)).toBe("undefined");
    expect(await list(scene, env)).toBe("undefined");
  });

  test.each([
    ["no folder can be made", { HOME: "/proc" }],
    ["the home is a file", { HOME: "/dev/null" }],
    ["there is no home", { HOME: undefined }],
    ["the home is relative", { HOME: "home" }],
  ])("where %s", async (_what, env) => {
    const scene = prepare();
    expect(await list(scene, env)).toBe("undefined");
    expect(existsSync(scene.home)).toBe(false);
  });
});
