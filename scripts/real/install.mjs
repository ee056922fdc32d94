import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = fileURLToPath(new URL("../../test/real/pinned.json", import.meta.url));

/** Where the CLIs are kept between runs: outside the tree, because they weigh hundreds of megabytes. */
export function cacheFolder(env = process.env) {
  const base = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return env.CLAW_REAL_CACHE || join(base, "claw", "real-clis");
}

const pinned = () => JSON.parse(readFileSync(PINNED, "utf8"));

const programIn = (folder, program) => join(folder, "node_modules", ".bin", program);

/** Whether the program there is the one asked for: npm may choose an older version, or leave out what it fetches later. */
function requireVersion(path, version) {
  const { stdout, stderr, status } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 60_000 });
  if (status === 0 && stdout.includes(version)) return;
  throw new Error(`${path} should be version ${version}, but says: ${stdout || stderr || `exit ${status}`}`);
}

/** Installs one package at its exact version from the npm registry, and nothing else. Returns the program's path. */
function install(cache, { package: name, version, program }) {
  const folder = join(cache, `${program}-${version}`);
  if (existsSync(programIn(folder, program))) return programIn(folder, program);
  console.error(`Installing ${name}@${version} into ${folder} …`);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "installing-"));
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    const flags = ["--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false", "--save-exact"];
    const { status } = spawnSync("npm", ["install", ...flags, `${name}@${version}`], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`npm could not install ${name}@${version}`);
    requireVersion(programIn(fresh, program), version);
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return programIn(folder, program);
}

/** The newest version that the npm registry has of a package. */
function newestVersion(name) {
  const { stdout, stderr, status } = spawnSync("npm", ["view", name, "version"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`npm does not say what the newest version of ${name} is: ${stderr}`);
  return stdout.trim();
}

/** The CLIs to be tried, by name: at their pinned versions, or at the newest there are. */
export const chooseClis = ({ newest }) =>
  Object.fromEntries(
    Object.entries(pinned()).map(([name, cli]) => [
      name,
      newest ? { ...cli, version: newestVersion(cli.package) } : cli,
    ]),
  );

/** Makes sure that each of these CLIs is there. Returns their paths by name. */
export function installAll(clis, cache = cacheFolder()) {
  return Object.fromEntries(Object.entries(clis).map(([name, cli]) => [name, install(cache, cli)]));
}
