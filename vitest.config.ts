import { readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { defineConfig } from "vitest/config";

/** Ends a test that hangs; no test passes or fails by its speed, however busy the machine is. */
const HANG_MS = 120_000;

const SHARED = {
  // Nothing keeps state in a module, and loading every module anew for every file would take half of the time.
  isolate: false,
  // The default of a second is a verdict on the machine, not on the code.
  expect: { poll: { interval: 5, timeout: HANG_MS / 2 } },
  // The temporary folder may lie in a repository, which is none of the tests' business.
  env: { GIT_CEILING_DIRECTORIES: realpathSync(tmpdir()) },
};

/** Proofs that take long and change seldom. */
const LONG = [
  "agent-escapes",
  "agent-escapes-around",
  "agent-escapes-planted",
  "bus-migrate-kills",
  "cluster-gone",
  "daemon-idle",
].map((name) => `test/e2e/${name}.test.ts`);

/** Those that do more when there is time. */
const LONGER_IN_SOAK = [
  "agent-tasks",
  "bad-input-folders",
  "bus-migrate",
  "bus-migrate-servers",
  "cluster-fault-runs",
  "contract-checks-help",
  "contract-checks-mutations",
  "crash",
  "error-codes",
  "golden",
  "mcp-all-tools",
  "mcp-kills",
  "page-load",
  "reliability-fuzz",
  "reliability-model",
  "scale-walk",
  "secrets",
].map((name) => `test/e2e/${name}.test.ts`);

/**
 * End-to-end tests that wait for their turn: `npm test` runs every second file, by its seed; `npm test -- --all`, as CI does,
 * and calls that name files run each.
 */
function notThisTime(): string[] {
  const half = process.env["CLAW_HALF"];
  if (half === undefined) return [];
  const files = readdirSync(new URL("test/e2e", import.meta.url)).filter((name) => name.endsWith(".test.ts"));
  return files.sort().flatMap((name, index) => (index % 2 === Number(half) ? [] : [`test/e2e/${name}`]));
}

/** Unit tests that take seconds each, because they start many programs or try many cases: `npm run test:quick` leaves them out. */
const SLOW_UNIT = [
  "packages/*/src/**/*.{crash,faults,model,property,pty}.test.ts",
  "packages/claw/src/agent/sandbox/{git-leftovers,private-view,probe-sandbox}.test.ts",
  "packages/claw/src/agent/tools/escapes.test.ts",
  "packages/claw/src/agent/tools/{shell,files,search}/{bash,kept-files,private-places,search}.test.ts",
  "packages/claw/src/agent/worktree/{attacks,command-git,killed-import}.test.ts",
  "packages/claw/src/agent/hooks/create-hooks.test.ts",
  "packages/claw/src/agent/mcp/open-mcp-servers.test.ts",
  "packages/claw/src/bus/log/segment-log.test.ts",
  "packages/claw/src/bus/transports/http.test.ts",
  "packages/claw/src/bus/snapshot/{crash,file-snapshot-store}.test.ts",
  "packages/claw/src/cli/arguments/read-input.test.ts",
  "packages/claw/src/{cluster,daemon}/**/nats-*.test.ts",
  "packages/claw/src/daemon/process/run-daemon.test.ts",
  "packages/claw/src/daemon/terminals/host-terminals.test.ts",
  "packages/claw/src/daemon/workers/worktrees/worktree.test.ts",
  "packages/claw/src/harness/stream/run-limits.test.ts",
  "packages/claw/src/harness/runner/{deadlines,run-agent}.test.ts",
  "packages/claw/src/process/{is-merged,open-process}.test.ts",
  "packages/claw/src/sessions/session-store.test.ts",
  "packages/claw/src/terminals/host/{host-session,hosted-terminal,long-output,run-host}.test.ts",
  "packages/claw/src/terminals/shell/shell-tracker.test.ts",
  "packages/claw/src/verbs/{agent/chat,runtime/handle}.test.ts",
  "packages/claw/src/verbs/workers/work/merge-work.test.ts",
  "packages/claw/src/worker/interactive/hook-door.test.ts",
  "packages/contract/src/redaction/redact.test.ts",
  "packages/client/src/{chromium,create-client,create-client.unix,process,readme}.test.ts",
];

/** Names the rows that a new verb needs in tables of the end-to-end tests; quick, so that daily work shows them. */
const VERB_ROWS = "test/verb-rows.test.ts";

/** Random cases are chosen by `CLAW_SEED`, when it is given, so that a run can be repeated. */
const SEEDED = process.env["CLAW_SEED"] === undefined ? {} : { setupFiles: ["test/reliability/seed-properties.ts"] };

/** Takes minutes, so it runs only when asked for. */
const SOAK = {
  test: {
    name: "soak",
    env: SHARED.env,
    include: ["test/soak/*.test.ts", ...LONG, ...LONGER_IN_SOAK],
    testTimeout: 30 * 60_000,
    hookTimeout: HANG_MS,
  },
};

/** Drives the agents' own CLIs, which have to be installed for it. */
const REAL = {
  test: {
    name: "real",
    include: ["test/real/*.test.ts"],
    testTimeout: 5 * 60_000,
    hookTimeout: HANG_MS,
    maxWorkers: 2,
  },
};

/** Unit tests sit beside the code; `test/` holds what concerns the whole tree and the built binary. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...SHARED,
          ...SEEDED,
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", VERB_ROWS],
          exclude: process.env["CLAW_QUICK"] === undefined ? [] : SLOW_UNIT,
          testTimeout: HANG_MS,
        },
      },
      {
        test: {
          ...SHARED,
          name: "repository",
          include: [
            "bench/*.test.ts",
            "test/*.test.ts",
            "test/mcp/**/*.test.ts",
            "test/model-server/*.test.ts",
            "test/tasks/**/*.test.ts",
          ],
          exclude: [VERB_ROWS],
          testTimeout: HANG_MS,
        },
      },
      {
        test: {
          ...SHARED,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: [...LONG, ...notThisTime()],
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
        },
      },
      ...(process.env["CLAW_SOAK"] === undefined ? [] : [SOAK]),
      ...(process.env["CLAW_REAL_WORK"] === undefined ? [] : [REAL]),
    ],
    globalSetup: "test/own-state.ts",
    // Two more than there are cores on a small machine: many tests wait for processes and disks, and three kept 1.4 cores busy.
    maxWorkers: 4,
  },
});
