import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { manifestOf, root } from "./packed-manifest.mjs";

const LIBRARIES = ["contract", "client"];

const execute = promisify(execFile);

const entriesOf = (name) => Object.values(manifestOf(name).exports).map((path) => join(root, "packages", name, path));

/** Sources name each other with `.ts`; the files that are built from them with `.js`. */
const withBuiltNames = (text) =>
  text.replaceAll(/((?:\bfrom|\bimport) ?\(?")(\.{1,2}\/[^"]+)\.ts"/g, (_all, before, path) => `${before}${path}.js"`);

/** The modules that a package's entries lead to. Each becomes a file of its own: bundlers drop those they do not need. */
async function buildModules(name) {
  const folder = join(root, "packages", name, "dist");
  const { build } = await import("esbuild");
  const common = { absWorkingDir: root, format: "esm", target: "es2022", write: false, logLevel: "warning" };
  const packages = { bundle: true, packages: "external", metafile: true, outdir: folder };
  const { metafile } = await build({ ...common, ...packages, entryPoints: entriesOf(name) });
  const sources = join(root, "packages", name, "src");
  const { outputFiles } = await build({
    ...common,
    entryPoints: Object.keys(metafile.inputs),
    outbase: sources,
    outdir: folder,
  });
  return outputFiles.map(({ path, text }) => ({ path: relative(folder, path), text: withBuiltNames(text) }));
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * The types of one library, by the compiler. One at a time: of files that a package of `node_modules` leads to, as the
 * other library does, the compiler writes none, or some, by the order in which it finds them.
 */
async function buildTypes(name, folder) {
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: folder,
    rootDir: join(root, "packages", name, "src"),
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const project = `${folder}.json`;
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions: options, files: entriesOf(name) };
  writeFileSync(project, JSON.stringify(config));
  await execute(join(root, "node_modules/.bin/tsc"), ["-p", project], { cwd: root });
  return filesBelow(folder).map((path) => ({
    path: relative(folder, path),
    text: withBuiltNames(readFileSync(path, "utf8")),
  }));
}

function requireTypes(files) {
  const paths = new Set(files.map(({ path }) => path));
  const bare = [...paths].filter((path) => path.endsWith(".js") && !paths.has(path.replace(/\.js$/, ".d.ts")));
  if (bare.length > 0) throw new Error(`modules without types: ${bare.join(", ")}`);
  return files;
}

/** Builds the packages that other programs import. Resolves with the files of each: path and text. */
export async function buildLibraries() {
  const folder = mkdtempSync(join(tmpdir(), "claw-types-"));
  try {
    const build = async (name) => {
      const [modules, types] = await Promise.all([buildModules(name), buildTypes(name, join(folder, name))]);
      return [name, requireTypes([...modules, ...types])];
    };
    return new Map(await Promise.all(LIBRARIES.map(build)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes built files below a folder. */
export function writeFiles(folder, files) {
  for (const { path, text } of files) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}
