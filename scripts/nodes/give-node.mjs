import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = fileURLToPath(new URL("pinned.json", import.meta.url));

/** The exact versions that claw is tested on, oldest first. The first is the oldest that `engines` allows. */
export const NODE_VERSIONS = Object.values(JSON.parse(readFileSync(PINNED, "utf8"))).toSorted((left, right) =>
  left.localeCompare(right, "en", { numeric: true }),
);

export const OLDEST_NODE = NODE_VERSIONS[0];
export const NEWEST_NODE = NODE_VERSIONS.at(-1);

/**
 * Where these versions are kept between runs: outside the tree, because each weighs up to 200 megabytes. Some tests that
 * root runs start Node as another user, who cannot enter root's home.
 */
export function nodesFolder(env = process.env) {
  const own = process.getuid?.() === 0 ? "/var/cache" : join(homedir(), ".cache");
  const base = env.XDG_CACHE_HOME || own;
  return env.CLAW_NODE_CACHE || join(base, "claw-test", "nodes");
}

/**
 * The package that holds the program for this system. The package `node` itself holds none: a script of it installs
 * this one, and npm may be told to run no scripts.
 */
export function nodePackage({ platform, arch } = process) {
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform === "win32" ? "win" : platform}-${arch}`;
}

const programIn = (folder) =>
  join(folder, "node_modules", nodePackage(), "bin", process.platform === "win32" ? "node.exe" : "node");

function requireVersion(program, version) {
  const { stdout, error } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 60_000 });
  if (stdout?.trim() === `v${version}`) return;
  throw new Error(`${program} should be Node ${version}, but says: ${stdout || error?.message || "nothing"}`);
}

function install(version, folder) {
  console.error(`Installing Node ${version} into ${folder} …`);
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(join(dirname(folder), "installing-"));
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"];
    const { status } = spawnSync("npm", ["install", ...flags, "--save-exact", `${nodePackage()}@${version}`], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`npm could not install Node ${version}`);
    requireVersion(programIn(fresh), version);
    chmodSync(fresh, 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Path of the program `node` of an exact version. Installs it from the npm registry the first time. */
export function giveNode(version, cache = nodesFolder()) {
  const folder = join(cache, version);
  if (!existsSync(programIn(folder))) install(version, folder);
  return programIn(folder);
}

/** The environment in which programs, and scripts that begin with `#!/usr/bin/env node`, find this Node first. */
export function environmentOf(program, env = process.env) {
  return { ...env, PATH: `${dirname(program)}${process.platform === "win32" ? ";" : ":"}${env.PATH ?? ""}` };
}
