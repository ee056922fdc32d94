import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

/**
 * Keeps the built program as a fixture of the upgrade tests, with a workspace that it wrote: `npm run build`, then
 * `node scripts/keep-release.mjs`. Run it once for each release, on its commit. The fixture is the text of every file
 * of `bin` and `dist`, without compiled code, in one compressed JSON object.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "packages", "claw");
const { version } = JSON.parse(readFileSync(join(program, "package.json"), "utf8"));
const fixture = join(root, "test", "fixtures", "releases", version);

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

const textsBelow = (folder, paths) =>
  Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));

function keepProgram() {
  const paths = ["bin", "dist"].flatMap((name) => filesBelow(join(program, name)));
  const texts = textsBelow(program, [...paths.filter((path) => path.endsWith(".cjs")), join(program, "package.json")]);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(join(fixture, "program.json.br"), brotliCompressSync(JSON.stringify(texts), { params: quality }));
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

function keepWorkspace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "claw-release-")));
  const cwd = join(base, "project");
  const home = join(base, "home");
  for (const folder of [cwd, home]) mkdirSync(folder);
  const env = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: home, CLAW_CONFIG_HOME: join(home, ".claw") };
  try {
    for (const args of CALLS) {
      const call = [join(program, "bin", "claw.cjs"), ...args];
      const { status, stderr } = spawnSync(process.execPath, call, { cwd, env, encoding: "utf8", input: "" });
      if (status !== 0) console.error(`claw ${args.join(" ")} ended with ${status}: ${stderr}`);
    }
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
    rmSync(base, { recursive: true, force: true });
  }
}

mkdirSync(fixture, { recursive: true });
keepProgram();
keepWorkspace();
console.log(`Kept claw ${version} in ${relative(root, fixture)}`);
