import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { needPrograms } from "./need-programs.mjs";
import { environmentOf, giveNode, NEWEST_NODE, NODE_VERSIONS, OLDEST_NODE } from "./nodes/give-node.mjs";
import { setUp } from "./setup.mjs";

/**
 * Runs the unit tests and some end-to-end tests on each pinned Node. `--short` runs a chosen part on the oldest and the
 * newest only, as CI does. Arguments name versions, by their first number or whole.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false } },
});

const endToEnd = (...names) => names.map((name) => `test/e2e/${name}.test.ts`);

/** What touches Node most: processes, files, sockets, terminals, streams, and the start of the program. */
const E2E = endToEnd(
  "agent",
  "attach",
  "chat",
  "crash",
  "daemon",
  "daemon-http",
  "daemon-restart",
  "events",
  "fake-agent",
  "interactive-workers",
  "parse-stream",
  "run",
  "run-endings",
  "signals",
  "stream-events",
  "terminals",
  "workers",
  "workers-survive",
);

const inProgram = (...folders) => folders.map((folder) => `packages/claw/src/${folder}/`);

const SHORT = {
  unit: [
    ...inProgram("process", "files", "terminals/pty", "terminals/host", "bus/transports", "harness/runner"),
    ...inProgram("agent/providers", "agent/tools/web", "cli"),
    "packages/client/src/",
  ],
  e2e: endToEnd("daemon", "fake-agent", "parse-stream", "run-endings", "terminals"),
};

const FULL = { unit: [], e2e: E2E };

function chooseVersions() {
  if (asked.length === 0) return values.short ? [OLDEST_NODE, NEWEST_NODE] : NODE_VERSIONS;
  return asked.map((name) => {
    const found = NODE_VERSIONS.find((version) => version === name || version.startsWith(`${name}.`));
    if (found === undefined) throw new Error(`Node ${name} is none of ${NODE_VERSIONS.join(", ")}`);
    return found;
  });
}

/** Runs one project's tests on one Node, and says how many passed and failed. */
function runProject(program, project, filters, report) {
  const file = join(report, "tests.json");
  rmSync(file, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const shown = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const env = environmentOf(program, { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) });
  // Every start of Node 20 would read it, which doubles its time, and tests start thousands.
  delete env.NODE_EXTRA_CA_CERTS;
  const started = performance.now();
  const { status } = spawnSync(program, [vitest, "run", "--project", project, ...filters, ...shown], {
    cwd: root,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(file, "utf8"));
  const seconds = Math.round((performance.now() - started) / 1000);
  return { ok: status === 0, text: `${project}: ${passed} passed, ${failed} failed (${seconds} s)` };
}

await setUp();
needPrograms();
const chosen = values.short ? SHORT : FULL;
const report = mkdtempSync(join(tmpdir(), "claw-nodes-"));
const rows = [];
try {
  for (const version of chooseVersions()) {
    const program = giveNode(version);
    for (const [project, filters] of Object.entries(chosen)) {
      console.log(`Node ${version}, ${project} tests`);
      const { ok, text } = runProject(program, project, filters, report);
      rows.push({ ok, line: `${ok ? "ok  " : "FAIL"} Node ${version}, ${text}` });
    }
  }
} finally {
  rmSync(report, { recursive: true, force: true });
}
for (const { line } of rows) console.log(line);
process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
