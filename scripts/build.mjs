import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}packages/claw/dist`;

/**
 * Modules that weigh more than all the rest and are needed by few verbs. Each becomes a file of its own beside the
 * entry, so that starting claw neither reads nor compiles it.
 */
const HEAVY = {
  schemas: { filter: /^@claw\/contract\/schemas$/, entry: "@claw/contract/schemas" },
  daemon: { filter: /\/run-daemon\.ts$/, entry: "packages/claw/src/daemon/run-daemon.ts" },
  "fake-agent": {
    filter: /\/play-fake-agent\.ts$/,
    entry: "packages/claw/src/harness/fake-agent/play-fake-agent.ts",
  },
  agent: { filter: /\/open-agent\.ts$/, entry: "packages/claw/src/verbs/open-agent.ts" },
  "mcp-client": { filter: /\/mcp-client\.ts$/, entry: "packages/claw/src/agent/mcp/mcp-client.ts" },
  chat: { filter: /\/hold-chat\.ts$/, entry: "packages/claw/src/verbs/chat/hold-chat.ts" },
  sandbox: { filter: /\/sandbox-state\.ts$/, entry: "packages/claw/src/verbs/sandbox-state.ts" },
  commands: { filter: /\/list-commands\.ts$/, entry: "packages/claw/src/verbs/list-commands.ts" },
  client: { filter: /\/bus-client\.ts$/, entry: "packages/claw/src/verbs/bus-client.ts" },
  screen: { filter: /\/emulate-screen\.ts$/, entry: "packages/claw/src/terminals/emulate-screen.ts" },
  "anthropic-sdk": {
    filter: /\/anthropic-sdk\.ts$/,
    entry: "packages/claw/src/agent/providers/anthropic-sdk.ts",
  },
  "openai-sdk": { filter: /\/openai-sdk\.ts$/, entry: "packages/claw/src/agent/providers/openai-sdk.ts" },
};

/** Programs of their own beside the command line, started by `bin/part.cjs`. */
const PARTS = {
  worker: "packages/claw/src/worker/main.ts",
  hook: "packages/claw/src/worker/hook/main.ts",
  "terminal-host": "packages/claw/src/terminals/main.ts",
};

const heavyFiles = {
  name: "heavy-files",
  setup(pipeline) {
    for (const [file, { filter }] of Object.entries(HEAVY)) {
      pipeline.onResolve({ filter }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: `./${file}.cjs`, external: true },
      );
    }
  },
};

/** Bundles the program into CommonJS files, the form that starts fastest. Returns what each file is made of. */
export async function build() {
  // Imported late: a fresh clone installs esbuild first.
  const { build: bundle } = await import("esbuild");
  const { metafile, outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: {
      claw: "packages/claw/src/cli/main.ts",
      ...PARTS,
      ...Object.fromEntries(Object.entries(HEAVY).map(([file, { entry }]) => [file, entry])),
    },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minify: true,
    legalComments: "none",
    // Real import() would need a loader that a script from the code cache does not have.
    supported: { "dynamic-import": false },
    metafile: true,
    write: false,
    logLevel: "warning",
    // Where a module needs its own address it takes the bundle's.
    logOverride: { "empty-import-meta": "silent" },
    // A binary for each platform, which cannot be part of a bundle.
    external: ["@lydell/node-pty"],
    plugins: [heavyFiles],
  });
  replaceFiles(outputFiles);
  writeCodeCaches();
  return metafile;
}

/** Runs the program in typical ways and keeps what V8 compiled, beside the bundle, for `bin/claw.cjs` to start from. */
function writeCodeCaches() {
  const { NODE_EXTRA_CA_CERTS: _slow, NODE_OPTIONS: _flags, ...env } = process.env;
  const script = fileURLToPath(new URL("write-code-cache.cjs", import.meta.url));
  for (const call of ["local", "agent", "worker", "client"]) {
    // A worker begins at a word on its stdin; the others read nothing.
    const stdio = ["pipe", "ignore", call === "worker" ? "ignore" : "inherit"];
    const { status } = spawnSync(process.execPath, [script, call], { env, stdio, input: "go\n" });
    if (status !== 0) throw new Error(`the code cache of ${call} calls could not be written`);
  }
}

/** Puts each file in place at once, so that a claw that runs meanwhile finds the old one or the new one. */
function replaceFiles(files) {
  mkdirSync(dist, { recursive: true });
  for (const { path, contents } of files) {
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
  const made = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(dist)) if (!made.has(name)) rmSync(join(dist, name), { recursive: true });
}
