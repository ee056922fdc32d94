import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chooseSome } from "./mutate/choose-some.ts";
import { copyTree } from "./mutate/copy-tree.mjs";
import { applyChange, findChanges, showChange } from "./mutate/find-changes.ts";
import { sourcesBelow, testsOf } from "./mutate/source-files.mjs";
import { createTestRunner } from "./mutate/test-runner.mjs";
import { needPrograms } from "./need-programs.mjs";

/**
 * Measures which single changes of the code the unit tests notice. Each change is made in a copy of the tree; the working
 * tree is never touched.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

const USAGE = "npm run mutate -- [--seed N] [--count N] [--related] PATH…";

/** Tests that take this many times as long as without a change hang, which is noticed too. */
const HANG_FACTOR = 4;
const HANG_AT_LEAST_MS = 15_000;
const GREEN_MS = 10 * 60_000;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, count: { type: "string", default: "40" }, related: { type: "boolean" } },
  });
  if (positionals.length === 0) {
    console.error(USAGE);
    process.exit(1);
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  const paths = positionals.map((path) => relative(root, join(process.cwd(), path)));
  return { seed, count: Number(values.count), related: values.related === true, paths };
}

/** Without a change every test has to pass, or its failure would count as a change that was noticed. */
async function timeGreen({ runner, copy }, sources) {
  const started = performance.now();
  for (const tests of new Set(sources.map((path) => testsOf(root, path).at(-1)))) {
    const result = await runner.run({ changed: join(copy, sources[0]), tests: [tests] }, GREEN_MS);
    if (result.outcome !== "passed") throw new Error(`tests fail without a change: ${tests} ${JSON.stringify(result)}`);
  }
  return performance.now() - started;
}

/** Tests run without types, and some changes are noticed by types alone. */
async function checkTypes(path, copy) {
  const project = path.split("/").slice(0, 2).join("/");
  const compiler = spawn(join(root, "node_modules/.bin/tsc"), ["-p", project], { cwd: copy, stdio: "ignore" });
  const [code] = await once(compiler, "exit");
  return { outcome: code === 0 ? "passed" : "does not compile" };
}

/** Runs the nearest tests first, and stops at those that fail. */
async function runTestsOf(path, { runner, copy, hangMs, related }) {
  const changed = join(copy, path);
  for (const tests of testsOf(root, path)) {
    const result = await runner.run({ changed, tests: [tests] }, hangMs);
    if (result.outcome !== "passed") return result;
  }
  const types = await checkTypes(path, copy);
  return types.outcome === "passed" && related ? runner.run({ changed, related }, GREEN_MS) : types;
}

/** Makes one change in the copy, runs its tests, and takes the change back. */
async function isNoticed(change, work) {
  const file = join(work.copy, change.path);
  const source = readFileSync(file, "utf8");
  writeFileSync(file, applyChange(source, change));
  const { outcome, failed } = await runTestsOf(change.path, work);
  writeFileSync(file, source);
  const place = `${change.path}:${change.line} ${change.kind}`;
  if (outcome === "passed") console.log(`MISSED  ${place}\n${showChange(source, change)}`);
  else console.log(`noticed ${place}: ${failed ?? outcome}`);
  return outcome !== "passed";
}

function summarise(results) {
  const names = [...new Set(results.map(({ folder }) => folder))].toSorted((a, b) => a.localeCompare(b));
  for (const name of [...names, "all"]) {
    const of = results.filter(({ folder }) => name === "all" || folder === name);
    const noticed = of.filter((result) => result.noticed).length;
    console.log(
      `${String(Math.round((100 * noticed) / of.length)).padStart(3)} %  ${noticed} of ${of.length}  ${name}`,
    );
  }
}

async function measure(changes, work) {
  const results = [];
  for (const change of changes) results.push({ folder: dirname(change.path), noticed: await isNoticed(change, work) });
  summarise(results);
}

const { seed, count, related, paths } = readArguments();
needPrograms();
const sources = paths.flatMap((path) => sourcesBelow(root, path));
const all = sources.flatMap((path) => findChanges(path, readFileSync(join(root, path), "utf8")));
const tree = copyTree(root);
const runner = createTestRunner(tree);
const cleanUp = async () => {
  await runner.close();
  rmSync(tree.folder, { recursive: true, force: true, maxRetries: 10 });
};
const leave = () => void cleanUp().then(() => process.exit(130));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, leave);
try {
  const greenMs = await timeGreen({ runner, copy: tree.copy }, sources);
  const hangMs = HANG_AT_LEAST_MS + HANG_FACTOR * greenMs;
  const chosen = chooseSome(all, count, seed);
  console.log(`seed ${seed}: ${chosen.length} of ${all.length} changes`);
  await measure(chosen, { runner, copy: tree.copy, hangMs, related });
} finally {
  await cleanUp();
}
