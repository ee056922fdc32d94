import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleProgram } from "./build.mjs";
import { bundlePage } from "./build-page.mjs";
import { NEWEST_NODE, OLDEST_NODE } from "./nodes/give-node.mjs";
import { bundledPackages } from "./pack/third-party-licences.mjs";
import { checkChangelog } from "./release/check-changelog.ts";
import type { Commit } from "./release/check-tree.ts";
import { requireCleanTree, requireOneVersion } from "./release/check-tree.ts";
import { checksums } from "./release/checksums.ts";
import { nextSteps } from "./release/next-steps.ts";
import { createPrograms } from "./release/programs.ts";
import type { LockedPackages } from "./release/sbom.ts";
import { makeSbom } from "./release/sbom.ts";
import { tryTarballs } from "./release/try-tarballs.ts";

/** Does everything of a release except its publishing, which a person does. */
const root = fileURLToPath(new URL("..", import.meta.url));

const USAGE = "npm run release -- --dry-run [--out FOLDER]";

const programs = createPrograms();
/** A short name: sockets below it have to fit into the system's 108 bytes. */
const work = mkdtempSync(join(tmpdir(), "cr-"));
const made = join(work, "made");

const script = (...argv: [string, ...string[]]): Promise<string> =>
  programs.run([process.execPath, ...argv], { cwd: root, env: { ...process.env, TMPDIR: work } });

const readText = (path: string): string => readFileSync(join(root, path), "utf8");

/** Runs one step, and prints its result. Throws when the step fails. */
async function step<T>(name: string, act: () => T | Promise<T>, show: (result: T) => string = String): Promise<T> {
  try {
    const result = await act();
    console.log(`ok    ${name}: ${show(result)}`);
    return result;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function packAll(): Promise<string[]> {
  await script("scripts/pack.mjs", "--out", made);
  return readdirSync(made).toSorted();
}

const showSizes = (names: readonly string[]): string =>
  names.map((name) => `${name} (${Math.ceil(statSync(join(made, name)).size / 1000)} kB)`).join(", ");

async function tryOnNodes(version: string, names: readonly string[]): Promise<void> {
  const cache = `const { fillNpmCache } = await import("./scripts/pack/fill-npm-cache.mjs"); await fillNpmCache();`;
  await step("npm cache", async () => {
    await script("--input-type=module", "-e", cache);
    return "has what an installation needs";
  });
  const tarballs = names.map((name) => join(made, name));
  for (const node of [OLDEST_NODE, NEWEST_NODE]) {
    const folder = join(work, node);
    await step(`Node ${node}`, () => tryTarballs({ programs, tarballs, version, node, folder }));
  }
}

async function writeSbom(version: string, commit: Commit): Promise<string> {
  const [{ metafiles }, page] = await Promise.all([bundleProgram(), bundlePage()]);
  const { packages } = JSON.parse(readText("package-lock.json")) as { packages: LockedPackages };
  const bundled = bundledPackages([...metafiles, page.metafile]);
  const name = `claw-cli-${version}.cdx.json`;
  writeFileSync(join(made, name), makeSbom({ version, commit, bundled, locked: packages }));
  return `${name} lists ${bundled.length} packages`;
}

function writeChecksums(): string {
  const names = readdirSync(made);
  writeFileSync(join(made, "SHA256SUMS"), checksums(made, names));
  return `SHA256SUMS of ${names.length} files`;
}

async function tryFixture(version: string): Promise<string> {
  const out = join(work, "kept");
  await script("scripts/keep-release.mjs", "--out", out);
  const files = JSON.parse(readFileSync(join(out, version, "workspace.json"), "utf8")) as object;
  return `can be made; its workspace has ${Object.keys(files).length} files`;
}

/** Refuses a folder that has files: checksums and tarballs of two releases would stand side by side. */
function requireEmpty(out: string): string {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
  return `${basename(out)} is empty`;
}

/** All steps, in their order. Throws at the first that fails. Resolves with the version. */
async function tryRelease(out: string | undefined): Promise<string> {
  const commit = await step(
    "tree",
    () => requireCleanTree(root),
    ({ id }) => `clean, at ${id.slice(0, 12)}`,
  );
  const version = await step("versions", () => requireOneVersion(root));
  await step("changelog", () => checkChangelog(readText("CHANGELOG.md"), version));
  if (out !== undefined) await step("folder", () => requireEmpty(out));
  await step("build", async () => {
    await script("scripts/setup.mjs");
    return "packages/claw/dist";
  });
  const names = await step("tarballs", packAll, showSizes);
  await tryOnNodes(version, names);
  await step("SBOM", () => writeSbom(version, commit));
  await step("checksums", writeChecksums);
  await step("upgrade fixture", () => tryFixture(version));
  if (out !== undefined) cpSync(made, out, { recursive: true });
  return version;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, out: { type: "string" } } });
  const out = values.out === undefined ? undefined : resolve(values.out);
  if (values["dry-run"] === true) {
    const version = await tryRelease(out);
    console.log(`\nclaw ${version} is ready. ${nextSteps(version, out)}`);
    return;
  }
  const version = requireOneVersion(root);
  throw new Error(`this command publishes nothing. First: ${USAGE}\n${nextSteps(version, out)}`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void programs.end().then(() => process.exit(130)));
}
process.on("exit", () => rmSync(work, { recursive: true, force: true, maxRetries: 10 }));
try {
  await main();
} catch (error) {
  console.error(`FAIL  ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
