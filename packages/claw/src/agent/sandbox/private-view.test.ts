import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { stateFolder } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { Confinement } from "./sandbox.ts";
import { CANARY, needSandbox, openCage } from "./testing/workspace-with-canary.ts";

/** Plays the daemon: lets everybody in at a socket. */
async function listenAt(path: string): Promise<void> {
  const server = createServer((client) => client.end(`reached ${CANARY}`));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

/** A folder of a daemon: its socket, a secret, the tree of a worker. */
async function playDaemon(folder: string): Promise<void> {
  mkdirSync(join(folder, ".claws", "worktrees", "w"), { recursive: true });
  writeFileSync(join(folder, ".claws", "orchestrator.token"), CANARY);
  await listenAt(join(folder, ".claws", "claws.sock"));
}

function start(workspace: Workspace, script: string, more: Partial<Confinement> = {}): ChildProcessWithoutNullStreams {
  const sandbox = needSandbox(workspace);
  const confinement = { cwd: workspace.root, writable: true, ...more };
  const watch = sandbox.guard(confinement);
  const [file, ...args] = sandbox.wrap(["bash", "-c", script], watch.confinement);
  const env = commandEnvironment({ env: process.env, workspace, manner: "confined" });
  const child = spawn(file, args, { env });
  child.on("close", () => watch.settle());
  return child;
}

async function run(workspace: Workspace, script: string, more?: Partial<Confinement>): Promise<string> {
  const { stdout, stderr } = start(workspace, script, more);
  return (await Promise.all([stdout, stderr].map((stream) => text(stream)))).join("");
}

const connectTo = (path: string): string =>
  `node -e 'require("net").connect("${path}").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;

const raid = (folder: string): string =>
  [connectTo(`${folder}/.claws/claws.sock`), `cat ${folder}/.claws/orchestrator.token`, `ls -A ${folder}/.claws`].join(
    "; ",
  );

const MANNERS = [
  ["read-only", false],
  ["writable", true],
] as const;

describe.each(MANNERS)("in a %s sandbox the daemon's sockets and secrets are not there", (_, writable) => {
  test("in the workspace, however a command looks for them", async () => {
    const { workspace, root } = openCage(onTestFinished);
    await playDaemon(root);
    symlinkSync(".claws", join(root, "link"));
    const scripts = [
      raid("."),
      raid(root),
      raid(`/proc/1/root${root}`),
      connectTo("link/claws.sock"),
      `unshare -Urm sh -c 'umount .claws; ${connectTo(".claws/claws.sock").replaceAll("'", `'"'"'`)}'`,
      "umount -l .claws; mv .claws moved; rmdir .claws; rm -rf .claws; cat .claws/* moved/*",
      "find . -type s; grep -r canary .",
    ];
    const output = await run(workspace, scripts.join("; "), { writable });
    expect(output).not.toContain(CANARY);
    expect(output).toMatch(/ENOENT/);
    expect(existsSync(join(root, ".claws", "orchestrator.token"))).toBe(true);
  });

  test("below the workspace, and in its further folders", async () => {
    const { workspace, root, outside } = openCage(onTestFinished);
    mkdirSync(join(root, "a", "b"), { recursive: true });
    for (const folder of [join(root, "a", "b"), outside]) await playDaemon(folder);
    const both = { ...workspace, extraFolders: [outside] };
    const output = await run(both, `${raid("a/b")}; ${raid(outside)}`, { writable });
    expect(output).not.toContain(CANARY);
  });

  test("when the daemon starts while the command runs", async () => {
    const { workspace, root } = openCage(onTestFinished);
    const child = start(workspace, `echo ready; read -r line; ${raid(".")}`, { writable });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await playDaemon(root);
    child.stdin.end("go\n");
    const output = await text(child.stdout);
    expect(output).toContain("ENOENT");
    expect(output).not.toContain(CANARY);
  });

  test("where a worker's tree lies in the daemon's folder: that tree alone is there", async () => {
    const { root, workspace } = openCage(onTestFinished);
    await playDaemon(root);
    const [tree, other] = ["w", "other"].map((name) => join(root, ".claws", "worktrees", name)) as [string, string];
    mkdirSync(other);
    writeFileSync(join(tree, "mine"), "my own file");
    const kept = { hidden: [], fixed: [join(root, ".claws")] };
    for (const extraFolders of [[], [root]]) {
      const inTree = { root: tree, extraFolders };
      const output = await run(inTree, `${raid(root)}; ls ..; cat mine`, { writable, kept });
      expect(output).not.toContain(CANARY);
      expect(output).not.toContain("other");
      expect(output).toContain("my own file");
    }
    expect(await run({ ...workspace, root: tree }, "echo x > made; ls", { writable })).toContain("mine");
    expect(existsSync(join(tree, "made"))).toBe(writable);
  });

  test("where its socket has another path in the workspace, or lies deep", async () => {
    const { workspace, root } = openCage(onTestFinished);
    const deep = join(root, "node_modules", "a");
    mkdirSync(deep, { recursive: true });
    await playDaemon(deep);
    const socket = join(root, "bus.sock");
    await listenAt(socket);
    const known = stateFolder(root);
    mkdirSync(known, { recursive: true });
    onTestFinished(() => rmSync(known, { recursive: true }));
    writeFileSync(join(known, "workspace.json"), JSON.stringify({ workspace: deep, socket }));
    const output = await run(workspace, `${connectTo("bus.sock")}; ${raid("node_modules/a")}`, { writable });
    expect(output).not.toContain(CANARY);
  });
});

describe("the secrets of daemons", () => {
  const before = process.env["XDG_STATE_HOME"];
  afterEach(() => void (process.env["XDG_STATE_HOME"] = before));

  test.each(MANNERS)("are not there when they lie in the workspace itself: %s", async (_, writable) => {
    const { workspace, root } = openCage(onTestFinished);
    process.env["XDG_STATE_HOME"] = join(root, "state");
    const child = start(workspace, `echo ready; read -r line; cat state/claw/*/token.secret; ls state`, { writable });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    mkdirSync(stateFolder(root), { recursive: true });
    writeFileSync(join(stateFolder(root), "token.secret"), CANARY);
    child.stdin.end("go\n");
    expect(await text(child.stdout)).toBe("claw\n");
  });
});

test("a folder of claw's own is no workspace for commands", () => {
  const folder = join(temporaryFolder(onTestFinished), ".claws", "log");
  mkdirSync(folder, { recursive: true });
  expect(() => needSandbox({ root: folder, extraFolders: [] })).toThrow("claw's own");
});
