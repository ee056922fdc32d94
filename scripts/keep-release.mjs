import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeTarball } from "./pack/make-tarball.mjs";
import { stageProgram } from "./pack/stage.mjs";

/**
 * Keeps the program's tarball as a fixture of the upgrade tests, with a workspace that it wrote: `npm run build`, then
 * `node scripts/keep-release.mjs`. Run it once for each release, on its commit. The tarball has the bytes of the one
 * that `npm run pack` makes. `--out FOLDER` writes both to another folder.
 */
const { values } = parseArgs({ options: { out: { type: "string" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "packages", "claw");
const { version } = JSON.parse(readFileSync(join(program, "package.json"), "utf8"));
const fixture = join(
  values.out === undefined ? join(root, "test", "fixtures", "releases") : resolve(values.out),
  version,
);

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

const textsBelow = (folder, paths) =>
  Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));

async function keepProgram() {
  const work = mkdtempSync(join(tmpdir(), "claw-keep-"));
  try {
    await makeTarball(await stageProgram(join(work, "claw")), fixture);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Every kind of thing that a release stores in a workspace: sessions, settings, and the log of a daemon. */
const CALLS = [
  ["init"],
  ["flush-transcript", "review the parser", "--session-id", "review"],
  ["-p", "say hello", "--model", "scripted"],
  ["up"],
  ["publish", "note.hello", '{"from":"a script"}'],
  ["spawn", "tidy up", "--name", "tidy", "--harness", "fake", "--scenario", "tools", "--wait", "complete"],
  ["spawn", "decide", "--name", "asker", "--harness", "fake", "--scenario", "permission"],
  ["wait", "asker", "--for", "needs-input"],
  ["terminal", "create", "--name", "build"],
  ["terminal", "exec", "build", "echo built"],
  ["terminal", "close", "build"],
  ["abort", "asker"],
  ["down"],
];

const RUNNING_ONLY = /\.sock$|\.lock\/|\.start$|daemon\.json$|terminals\.(json|log)$/;

const HOST_ENDS_MS = 20_000;

/** Set by a signal: no further call of the list begins. */
let stoppedBy;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => (stoppedBy = signal));

/** One call of claw in a process group of its own, so that a signal to this script lets it end in order. */
async function callClaw(args, place) {
  const argv = [join(program, "bin", "claw.cjs"), ...args];
  const child = spawn(process.execPath, argv, { ...place, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`claw ${args.join(" ")} ended with ${code}: ${errors}`);
}

async function fillWorkspace(place) {
  for (const args of CALLS) {
    if (stoppedBy !== undefined) throw new Error(`stopped by ${stoppedBy}`);
    await callClaw(args, place);
  }
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Ends what runs in the workspace: after a failed call daemon and workers, and always the terminal host, which waits for terminals. */
async function endPrograms(place) {
  const folder = join(place.cwd, ".claws");
  if (existsSync(join(folder, "daemon.json"))) await callClaw(["down", "--abort"], place);
  const record = join(folder, "terminals.json");
  if (!existsSync(record)) return;
  const { pid } = JSON.parse(readFileSync(record, "utf8"));
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
  for (const end = Date.now() + HOST_ENDS_MS; isAlive(pid) && Date.now() < end;) await delay(20);
}

async function keepWorkspace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "claw-release-")));
  const cwd = join(base, "project");
  const home = join(base, "home");
  for (const folder of [cwd, home]) mkdirSync(folder);
  const env = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: home, CLAW_CONFIG_HOME: join(home, ".claw") };
  const place = { cwd, env };
  try {
    await fillWorkspace(place);
    const paths = filesBelow(cwd).filter((path) => !RUNNING_ONLY.test(path));
    const names = {
      [base]: "/tmp/claw-release",
      [root.replace(/\/$/, "")]: "/tmp/claw-release/clone",
      [hostname()]: "release",
    };
    const texts = JSON.stringify(textsBelow(cwd, paths), null, 2);
    const general = Object.entries(names).reduce((text, [own, name]) => text.replaceAll(own, name), texts);
    writeFileSync(join(fixture, "workspace.json"), `${general}\n`);
  } finally {
    await endPrograms(place);
    rmSync(base, { recursive: true, force: true, maxRetries: 10 });
  }
}

mkdirSync(fixture, { recursive: true });
await keepProgram();
await keepWorkspace();
console.log(`Kept claw ${version} in ${values.out === undefined ? relative(root, fixture) : fixture}`);
