import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareNats } from "./nats/give-nats.mjs";
import { needPrograms } from "./need-programs.mjs";
import { setUp } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const report = mkdtempSync(join(tmpdir(), "claw-test-"));
/** For daily work: types, lint and the unit tests that are quick. */
const isQuick = process.argv.includes("--quick");
/** All end-to-end tests; without it, and without filters, half of their files are run. */
const isAll = process.argv.includes("--all");
const filters = process.argv.slice(2).filter((argument) => argument !== "--quick" && argument !== "--all");
const seed = Number(process.env.CLAW_SEED ?? Math.floor(Math.random() * 1_000_000));
const env = {
  ...process.env,
  ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
  ...(isQuick ? { CLAW_QUICK: "1" } : {}),
  ...(isAll || filters.length > 0 ? {} : { CLAW_HALF: String(seed % 2) }),
  CLAW_SEED: String(seed),
};
// Every start of Node 20 would read it, which doubles its time, and tests start thousands.
delete env.NODE_EXTRA_CA_CERTS;
const bin = (name) => join(root, "node_modules", ".bin", name);

/** Checks the types of a project: in one thread, because each would work out the same types; and again only what changed. */
function types(name, project) {
  const known = join(root, "node_modules", ".cache", "claw-types", `${name.replaceAll(/\W+/g, "-")}.tsbuildinfo`);
  const flags = ["--checkers", "1", "--incremental", "--tsBuildInfoFile", known];
  return { name: `types: ${name}`, argv: [bin("tsc"), "-p", project, ...flags] };
}

const CHECKS = [
  types("claw, tests and scripts", "."),
  types("contract", "packages/contract"),
  types("client", "packages/client"),
  types("dashboard", "packages/dashboard"),
  types("client in Node", "packages/client/tsconfig.node.json"),
  // Rules that need types take half a minute.
  { name: "lint", argv: [bin("oxlint"), ...(isQuick ? [] : ["--type-aware"]), "--quiet"] },
  { name: "format", argv: [bin("oxfmt"), "--check"] },
  ...(isQuick ? [] : [{ name: "unused code", argv: [bin("knip")] }]),
];

/** Runs one command; what it says is shown only when it fails. */
function run({ name, argv: [file, ...args] }) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}

/** Runs the test suites with their own output, and says how many passed and failed. */
function runSuites(filters) {
  const file = join(report, "tests.json");
  const args = ["run", ...filters, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return new Promise((resolve) => {
    const child = spawn(bin("vitest"), args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
    child.on("close", (code) => {
      const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, "utf8"));
      resolve({ ok: code === 0, passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests });
    });
  });
}

/** Runs all checks, two at once where there are two cores. */
async function runChecks() {
  const left = [...CHECKS];
  const passed = [];
  const work = async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) passed.push(await run(check));
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return passed.every(Boolean);
}

await setUp();
needPrograms();
console.log(prepareNats());
const checked = await runChecks();
const suites = await runSuites([...(isQuick ? ["--project=unit"] : []), ...filters]);
rmSync(report, { recursive: true, force: true });
console.log(`${suites.passed} passed, ${suites.failed} failed, ${suites.skipped} skipped with CLAW_SEED=${seed}`);
process.exit(checked && suites.ok ? 0 : 1);
