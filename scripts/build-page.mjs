import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "packages/dashboard");

/** Where the clone's program finds the page. */
export const PAGE_FOLDER = join(root, "packages/claw/dist/page");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** Vite puts files whose names hold a hash of their content into this folder. */
const HASHED = "assets/";

const compress = {
  br: (bytes) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return promisify(brotliCompress)(bytes, { params });
  },
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const slashed = (path) => path.replaceAll(sep, "/");

/** Notes which modules are in the page, in the form in which esbuild does it. */
function accountOf(outputs) {
  return {
    name: "account",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const inputs = Object.entries(chunk.modules).map(([id, { renderedLength }]) => [
          slashed(relative(root, id.split("?")[0])),
          { bytesInOutput: renderedLength },
        ]);
        outputs[chunk.fileName] = { inputs: Object.fromEntries(inputs) };
      }
    },
  };
}

/** Vite takes another value of the variable as a wish for a build with paths of this machine, for debugging. */
async function asProduction(run) {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = "production";
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

async function runVite(outDir, outputs) {
  // Imported late: a fresh clone installs Vite first.
  const { build } = await import("vite");
  const options = {
    configFile: join(source, "vite.config.mjs"),
    logLevel: "error",
    build: { outDir, emptyOutDir: true },
    plugins: [accountOf(outputs)],
  };
  await asProduction(() => build(options));
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => slashed(relative(folder, join(entry.parentPath, entry.name))))
    .toSorted((left, right) => (left < right ? -1 : 1));

function rowOf(path, bytes) {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`${path}: say in scripts/build-page.mjs of which type it is`);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { path, type, digest, isImmutable: path.startsWith(HASHED) };
}

/** Builds the page: its files, compressed, with a list of them; and an account of what is in them. */
export async function bundlePage() {
  const folder = mkdtempSync(join(tmpdir(), "claw-page-"));
  const outputs = {};
  try {
    await runVite(folder, outputs);
    const read = filesIn(folder).map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
    const rows = read.map(({ path, bytes }) => rowOf(path, bytes));
    const bodies = read.flatMap(({ path, bytes }) =>
      Object.entries(compress).map(async ([ending, press]) => ({
        path: `${path}.${ending}`,
        contents: await press(bytes),
      })),
    );
    const table = { path: "files.json", contents: Buffer.from(`${JSON.stringify(rows)}\n`) };
    return { files: [table, ...(await Promise.all(bodies))], metafile: { outputs } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the files of the page below a folder. */
export function writePage(files, folder) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** Builds the page where the clone's program finds it. A daemon has read the files before, or reads all of the new ones. */
export async function buildPage() {
  const { files } = await bundlePage();
  rmSync(`${PAGE_FOLDER}.new`, { recursive: true, force: true });
  writePage(files, `${PAGE_FOLDER}.new`);
  rmSync(PAGE_FOLDER, { recursive: true, force: true });
  renameSync(`${PAGE_FOLDER}.new`, PAGE_FOLDER);
}
