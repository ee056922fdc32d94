import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGE_FOLDER } from "./build-page.mjs";
import { workedOutTables } from "./worked-out-tables.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}packages/claw/dist`;

/**
 * Modules that weigh more than all the rest and are needed by few verbs. Each becomes a file of its own beside the
 * entry, so that starting claw neither reads nor compiles it.
 */
const HEAVY = {
  schemas: "packages/contract/src/schemas.ts",
  daemon: "packages/claw/src/daemon/process/run-daemon.ts",
  cluster: "packages/claw/src/cluster/index.ts",
  "fake-agent": "packages/claw/src/fake-agent/play-fake-agent.ts",
  agent: "packages/claw/src/verbs/agent/open-agent.ts",
  "mcp-client": "packages/claw/src/agent/mcp/mcp-client.ts",
  mcp: "packages/claw/src/mcp/index.ts",
  "mcp-server": "packages/claw/src/mcp/mcp-server.ts",
  chat: "packages/claw/src/verbs/agent/chat/hold-chat.ts",
  sandbox: "packages/claw/src/verbs/about/try-sandbox.ts",
  "machine-keys": "packages/claw/src/verbs/bus/cluster-credentials/machine-keys.ts",
  commands: "packages/claw/src/verbs/agent/slash-commands/list-commands.ts",
  client: "packages/claw/src/verbs/bus/bus-client.ts",
  spawn: "packages/claw/src/verbs/workers/spawn/spawn.ts",
  yaml: "packages/claw/src/files/parse-yaml.ts",
  html: "packages/claw/src/agent/tools/web/html-text.ts",
  jsonc: "packages/claw/src/verbs/mcp/clients/json-format.ts",
  toml: "packages/claw/src/verbs/mcp/clients/toml-format.ts",
  headless: "packages/claw/src/worker/be-worker.ts",
  interactive: "packages/claw/src/worker/interactive/be-interactive.ts",
  screen: "packages/claw/src/terminals/screen/emulate-screen.ts",
  "anthropic-sdk": "packages/claw/src/agent/providers/anthropic/anthropic-sdk.ts",
  "openai-sdk": "packages/claw/src/agent/providers/openai/openai-sdk.ts",
};

/**
 * Modules that few verbs of the command line need, and that the other files hold themselves. Serves the rows of
 * `cold-start`: the entry is half as large without them.
 */
const APART_FROM_ENTRY = {
  harness: "packages/claw/src/harness/index.ts",
  "agent-parts": "packages/claw/src/agent/index.ts",
};

/**
 * Handlers that the entry holds. Those of the other verbs stand in one file for each shelf. Serves the rows of
 * `cold-start`: the entry is half as large without them.
 */
const ENTRY_HANDLERS = new Set([
  "about/help.ts",
  "about/status.ts",
  "about/version.ts",
  "agent/prompt.ts",
  "mcp/serve.ts",
  "sessions/list-sessions.ts",
  "workers/ps.ts",
  "workers/spawn/spawn.ts",
]);

/** Programs of their own beside the command line, started by `bin/part.cjs`. */
const PARTS = {
  worker: "packages/claw/src/worker/main.ts",
  hook: "packages/claw/src/worker/hook/main.ts",
  "terminal-host": "packages/claw/src/terminals/host/main.ts",
  "end-trees": "packages/claw/src/process/tree/main.ts",
  "end-demo": "packages/claw/src/verbs/workers/demo/main.ts",
};

/** Leaves imports of the given modules to the files they are in. */
const heavyFiles = (heavy) => ({
  name: "heavy-files",
  setup(pipeline) {
    const names = new Map(Object.entries(heavy).map(([name, entry]) => [join(root, entry), name]));
    pipeline.onResolve({ filter: /^\.\.?\/.*\.ts$|^claw-contract\/schemas$/ }, ({ kind, path, resolveDir }) => {
      const name = names.get(path.startsWith(".") ? join(resolveDir, path) : join(root, HEAVY.schemas));
      return name === undefined || kind === "entry-point" ? undefined : { path: `./${name}.cjs`, external: true };
    });
  },
});

/** Escapes what is not ASCII in the client of NATS, which has a regular expression with a Greek letter. */
const asciiNats = {
  name: "ascii-nats",
  setup(pipeline) {
    pipeline.onLoad({ filter: /[\\/]@nats-io[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    }));
  },
};

const verbs = join(root, "packages/claw/src/verbs");
const handlerTable = join(verbs, "runtime/handlers.generated.ts");

/** The handlers that are not in the entry: their files, by shelf. */
function readShelves() {
  const shelves = new Map();
  for (const [, path] of readFileSync(handlerTable, "utf8").matchAll(/import\("\.\.\/([^"]+)"\)/g)) {
    const [shelf] = path.split("/");
    if (!ENTRY_HANDLERS.has(path)) shelves.set(shelf, [...(shelves.get(shelf) ?? []), path]);
  }
  return shelves;
}

const shelfFile = (shelf) => `${shelf}-verbs`;

/** In the entry, a handler that stands on a shelf is taken from the file of the shelf, by its path. */
const handlerShelves = (shelves) => ({
  name: "handler-shelves",
  setup(pipeline) {
    const shelfOf = new Map([...shelves].flatMap(([shelf, paths]) => paths.map((path) => [path, shelf])));
    const takeFrom = (path) => `module.exports = require("./${shelfFile(shelfOf.get(path))}.cjs")["${path}"]();`;
    const give = (path) => `exports["${path}"] = () => require("./${path}");`;
    pipeline.onResolve({ filter: /^\.\.\/.*\.ts$/ }, ({ importer, path, resolveDir }) => {
      const file = relative(verbs, join(resolveDir, path)).replaceAll(sep, "/");
      return importer === handlerTable && shelfOf.has(file) ? { path: file, namespace: "handler" } : undefined;
    });
    pipeline.onLoad({ filter: /./, namespace: "handler" }, ({ path }) => ({ contents: takeFrom(path) }));
    pipeline.onResolve({ filter: /./, namespace: "handler" }, ({ path }) => ({ path, external: true }));
    pipeline.onResolve({ filter: /^shelf:/ }, ({ path }) => ({
      path: path.slice("shelf:".length),
      namespace: "shelf",
    }));
    pipeline.onLoad({ filter: /./, namespace: "shelf" }, ({ path: shelf }) => ({
      contents: shelves.get(shelf).map(give).join("\n"),
      resolveDir: verbs,
    }));
  },
});

const optionsFor = (bundle, entryPoints, heavy) => ({
  absWorkingDir: root,
  entryPoints,
  outdir: dist,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  minify: true,
  legalComments: "none",
  // Real import() would need a loader that a script from the code cache does not have. esbuild does not know that every
  // supported Node has these classes of characters, and would make such an expression anew at each use.
  supported: { "dynamic-import": false, "regexp-unicode-property-escapes": true },
  write: false,
  metafile: true,
  logLevel: "warning",
  // Where a module needs its own address it takes the bundle's.
  logOverride: { "empty-import-meta": "silent" },
  // A binary for each platform, which cannot be part of a bundle.
  external: ["@lydell/node-pty"],
  // Its main file loads the others by names that a bundler does not see.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [heavyFiles(heavy), workedOutTables(root, bundle), asciiNats],
});

/** The entry and the files of the shelves. What each of them needs of heavy modules is the same. */
function entryOptions(bundle, entryPoints, shelves) {
  const options = optionsFor(bundle, entryPoints, { ...HEAVY, ...APART_FROM_ENTRY });
  const alias = { "@modelcontextprotocol/server/_shims": join(root, "packages/claw/src/mcp/layer/sdk-shims.ts") };
  return { ...options, alias, plugins: [handlerShelves(shelves), ...options.plugins] };
}

/** Bundles the program into CommonJS files, the form that starts fastest. Resolves with them, and what is in them. */
export async function bundleProgram() {
  // Imported late: a fresh clone installs esbuild first.
  const { build: bundle } = await import("esbuild");
  const { daemon, mcp, "mcp-server": mcpServer, spawn, ...others } = HEAVY;
  const { schemas: _schemas, ...allButSchemas } = HEAVY;
  const { client: _client, ...allButClient } = HEAVY;
  const shelves = readShelves();
  const shelfEntries = Object.fromEntries([...shelves.keys()].map((shelf) => [shelfFile(shelf), `shelf:${shelf}`]));
  const made = await Promise.all([
    bundle(
      entryOptions(
        bundle,
        { claw: "packages/claw/src/cli/main.ts", mcp, "mcp-server": mcpServer, ...shelfEntries },
        shelves,
      ),
    ),
    bundle(optionsFor(bundle, { ...PARTS, ...others, ...APART_FROM_ENTRY }, HEAVY)),
    // It needs the schemas of events alone. Those of verbs, which stand in the same file, would double its start.
    bundle(optionsFor(bundle, { daemon }, allButSchemas)),
    // It always needs the client, and one file is sooner there than two.
    bundle(optionsFor(bundle, { spawn }, allButClient)),
  ]);
  const files = made.flatMap(({ outputFiles }) => outputFiles);
  return { files: withBuildName(files), metafiles: made.map(({ metafile }) => metafile) };
}

/** Builds the program where the clone runs it. */
export async function build() {
  replaceFiles((await bundleProgram()).files);
}

/** Begins each file with the build's name: its version and a hash of its content. Compiled code is kept under this name. */
function withBuildName(files) {
  const { version } = JSON.parse(readFileSync(join(root, "packages/claw/package.json"), "utf8"));
  const hash = createHash("sha256");
  for (const { path, contents } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${basename(path)} ${contents.length}\n`).update(contents);
  }
  const name = Buffer.from(`/*${version}-${hash.digest("hex").slice(0, 16)}*/`);
  return files.map(({ path, contents }) => ({ path, contents: Buffer.concat([name, contents]) }));
}

/** Puts each file in place at once, so that a claw that runs meanwhile finds the old one or the new one. */
function replaceFiles(files) {
  // They are read as Latin-1, which is fastest: a regular expression is the one place where esbuild escapes nothing.
  const foreign = files.find(({ contents }) => contents.some((byte) => byte > 0x7f));
  if (foreign !== undefined) throw new Error(`${foreign.path}: escape what is not ASCII in regular expressions`);
  mkdirSync(dist, { recursive: true });
  for (const { path, contents } of files) {
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
  const page = basename(PAGE_FOLDER);
  const made = new Set([...files.map(({ path }) => basename(path)), page, `${page}.new`]);
  for (const name of readdirSync(dist)) if (!made.has(name)) rmSync(join(dist, name), { recursive: true });
}
