import { spawn } from "node:child_process";
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/**
 * Runs `npm test` several times in a row where tests are most likely to fail: every core is kept busy by something else,
 * the temporary folder lies in a repository, and each run has another seed. Stops at the first failure.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

/** Keeps one core busy until the process that started it is gone. */
const BUSY = "const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e7; n += 1);";

/** Filters of tests, as `npm test` takes them. */
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "5" }, seed: { type: "string" }, busy: { type: "string" } },
});
const runs = Number(values.runs);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const busyCount = Number(values.busy ?? availableParallelism());

/** A short name: sockets below it have to fit into the system's 108 bytes. */
const folder = mkdtempSync(join(tmpdir(), "cs-"));
const temporary = join(folder, "t");
mkdirSync(temporary);
// As in the system's own temporary folder, other users get through: some tests are run as one.
chmodSync(folder, 0o755);
chmodSync(temporary, 0o1777);
for (const name of ["objects", "refs"]) mkdirSync(join(folder, ".git", name), { recursive: true });
writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");

const children = new Set();

function start(file, args, options) {
  const child = spawn(file, args, options);
  children.add(child);
  child.on("close", () => children.delete(child));
  return child;
}

function cleanUp() {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** One whole run; resolves with its exit code and where its output is. */
function runTests(seed, log) {
  const env = { ...process.env, TMPDIR: temporary, CLAW_SEED: String(seed) };
  const child = start(process.execPath, [join(root, "scripts/test.mjs"), ...filters], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = createWriteStream(log);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return new Promise((resolve) => child.on("close", (code) => output.end(() => resolve(code))));
}

/** What to call to see a failure again. */
function tellFailure(seed, log) {
  const text = readFileSync(log, "utf8");
  const failed = [...text.matchAll(/^ FAIL {2}\|\w+\| (\S+)( > .*)?$/gm)];
  for (const [line] of failed) console.log(line);
  const files = [...new Set(failed.map(([, file]) => file))];
  console.log(`Its output is in ${log}. To repeat it: CLAW_SEED=${seed} npm test -- ${files.join(" ")}`);
}

process.on("exit", cleanUp);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
for (let n = 0; n < busyCount; n += 1) start(process.execPath, ["-e", BUSY], { stdio: "ignore" });
console.log(`${runs} runs beside ${busyCount} busy processes`);
let passed = 0;
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  const log = join(tmpdir(), `claw-steady-${process.pid}-${seed}.log`);
  const started = performance.now();
  const code = await runTests(seed, log);
  const [counts = "no tests ran"] = /^\d+ passed, .*$/m.exec(readFileSync(log, "utf8")) ?? [];
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${code === 0 ? "ok  " : "FAIL"} CLAW_SEED=${seed}: ${counts} (${seconds} s)`);
  if (code !== 0) {
    tellFailure(seed, log);
    break;
  }
  rmSync(log);
  passed += 1;
}
console.log(`${passed} of ${runs} runs passed`);
process.exitCode = passed === runs ? 0 : 1;
for (const child of children) child.kill("SIGKILL");
