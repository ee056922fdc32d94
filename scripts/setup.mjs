import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { buildPage, PAGE_FOLDER } from "./build-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamps = join(root, "node_modules", ".claw-setup");

const OLDEST_NODE = [20, 19];

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`claw needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Every file below the given paths that can change a build, in a stable order. */
function filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  const names = readdirSync(full, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return names.flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name.endsWith(".test.ts")) return [];
    const child = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(child) : [child];
  });
}

function digest(files) {
  const hash = createHash("sha256").update(process.version);
  for (const file of files) {
    hash.update(`${file}\n`);
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** Does a step unless the files it depends on are as they were when it last succeeded. */
async function unlessDone(name, files, isThere, step) {
  const stamp = join(stamps, name);
  const now = digest(files);
  if (isThere() && existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;
  await step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}

function install(workspaces) {
  console.error("Installing dependencies …");
  const some = workspaces.map((folder) => `--workspace=${folder}`);
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...some], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The packages that are in the program, and in the page. */
const PROGRAM = ["packages/claw", "packages/client", "packages/contract"];
const PAGE = ["packages/dashboard", "packages/client", "packages/contract"];

/** The workspaces that the program and the page are built from: less than half of what development needs. */
const BUILT_FROM = ["scripts/builders", "packages/claw", "packages/client", "packages/contract", "packages/dashboard"];

const manifests = ["package.json", "package-lock.json", ...BUILT_FROM.map((folder) => `${folder}/package.json`)];

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Whether a person ran `npm ci` before: npm's own list holds each package of the lock file. */
function hasEverything() {
  const list = "node_modules/.package-lock.json";
  if (!existsSync(join(root, list))) return false;
  const { packages: there } = readJson(list);
  const wanted = Object.entries(readJson("package-lock.json").packages).filter(([path]) =>
    path.includes("node_modules/"),
  );
  return wanted.every(([path, { version, optional, link }]) => optional || link || there[path]?.version === version);
}

/** Installs what is missing. With `toRun`, a clone that holds no tools of development gets none. */
async function installMissing(toRun) {
  const name = toRun && !existsSync(join(stamps, "install")) ? "install-to-run" : "install";
  const isThere = () => existsSync(join(root, "node_modules/esbuild"));
  await unlessDone(name, manifests, isThere, () => {
    if (!hasEverything()) install(name === "install" ? [] : BUILT_FROM);
  });
}

/**
 * Brings a clone into the state where everything can run. Quick when nothing changed. With `toRun`, a fresh clone gets
 * what the program needs alone.
 */
export async function setUp({ installOnly = false, toRun = false } = {}) {
  requireNode();
  await installMissing(toRun);
  if (installOnly) return;
  const sources = [...manifests, "scripts/build.mjs", "scripts/worked-out-tables.mjs", ...PROGRAM.flatMap(filesBelow)];
  const pageSources = [...manifests, "scripts/build-page.mjs", ...PAGE.flatMap(filesBelow)];
  await Promise.all([
    unlessDone("build", sources, () => existsSync(join(root, "packages/claw/dist/claw.cjs")), build),
    unlessDone("page", pageSources, () => existsSync(join(PAGE_FOLDER, "files.json")), buildPage),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUp({ installOnly: process.argv.includes("--install-only") });
}
