import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { clawsFile, isAlive } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import type { Body, Ended } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RELEASES = join(ROOT, "test", "fixtures", "releases");

/** Every release that `scripts/keep-release.mjs` kept. */
export const RELEASE_NAMES = readdirSync(RELEASES);

type Texts = Readonly<Record<string, string>>;

function writeTexts(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o600 });
  }
}

/** An installed program: every version that is installed there lies at the same path. */
export interface Installation {
  readonly binary: string;
  /** Puts the built program of this tree in the place of the installed one, as a package manager does. */
  upgrade(): void;
  run(workspace: Workspace, args: readonly string[]): Promise<Ended>;
  json(workspace: Workspace, args: readonly string[]): Promise<Body>;
}

/** Ends the daemon of an installed program once the test is over. */
export function stopInstalledAfterTest(workspace: Workspace, { binary }: Installation): void {
  onTestFinished(async () => {
    const record = textOf(clawsFile(workspace, "daemon.json"));
    const pid = record === undefined ? 0 : (JSON.parse(record) as { pid: number }).pid;
    const isDaemon = (): boolean =>
      pid > 0 && isAlive(pid) && textOf(`/proc/${pid}/cmdline`)?.includes(binary) === true;
    if (isDaemon()) process.kill(pid, "SIGTERM");
    await until(`daemon ${pid} to end`, () => !isDaemon());
  });
}

/** Installs a kept release beside a workspace. */
export function installRelease(release: string, { home }: Workspace): Installation {
  const prefix = join(dirname(home), `installed-${release}`);
  const program = join(prefix, "claw");
  mkdirSync(program, { recursive: true });
  const tarball = join(RELEASES, release, `claw-cli-${release}.tgz`);
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1"], { cwd: program });
  symlinkSync(join(ROOT, "node_modules"), join(prefix, "node_modules"));
  const binary = join(program, "bin", "claw.cjs");
  const run = (workspace: Workspace, args: readonly string[]): Promise<Ended> =>
    outputOf(
      spawn(process.execPath, [binary, ...args], {
        cwd: workspace.cwd,
        env: cleanEnvironment(workspace),
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  return {
    binary,
    run,
    upgrade: () => {
      renameSync(program, join(prefix, "replaced"));
      const built = join(ROOT, "packages", "claw");
      for (const name of ["bin", "dist"]) cpSync(join(built, name), join(program, name), { recursive: true });
      cpSync(join(built, "package.json"), join(program, "package.json"));
    },
    json: async (workspace, args) => {
      const { stdout, stderr } = await run(workspace, [...args, "--output-format", "json"]);
      expect(stderr).toBe("");
      return JSON.parse(stdout) as Body;
    },
  };
}

/** Starts a call of an installed program that the test ends. */
export const beginInstalled = ({ binary }: Installation, workspace: Workspace, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [binary, ...args], { cwd: workspace.cwd, env: cleanEnvironment(workspace), stdio: "ignore" });

/** Fills a workspace with the files that a release wrote. */
export function putReleaseFiles(release: string, { cwd }: Workspace): void {
  const text = readFileSync(join(RELEASES, release, "workspace.json"), "utf8");
  const here = text
    .replaceAll("/tmp/claw-release/project", cwd)
    .replaceAll(String.raw`\"host\":\"release\"`, String.raw`\"host\":\"${hostname()}\"`);
  writeTexts(cwd, JSON.parse(here) as Texts);
}
