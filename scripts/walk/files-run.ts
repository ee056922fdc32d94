import { readdirSync, readFileSync } from "node:fs";
import type { SourceMapping } from "node:module";
import { SourceMap } from "node:module";
import { basename, join, relative } from "node:path";

/** What V8 writes about one process. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** How `bin/claw.cjs` wraps a file of the bundle. */
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {";
/** The build's name, which is put in front of a file that has its map already. */
const BUILD_NAME = /^\/\*[^*]*\*\//;
const INLINE_MAP = "//# sourceMappingURL=data:application/json;base64,";
/** The bundler's name for the function that loads a module, which is no function of the module. */
const LOADS_MODULE = /[/.](?:ts|js|mjs|json)$|^__/;

/** Source files of which a function ran, relative to `packages`, with the names of these functions. */
export type FilesRun = ReadonlyMap<string, ReadonlySet<string>>;

const addNames = (files: Map<string, Set<string>>, path: string, names: Iterable<string>): void =>
  void files.set(path, new Set([...(files.get(path) ?? []), ...names]));

export function joinRuns(runs: readonly FilesRun[]): FilesRun {
  const joined = new Map<string, Set<string>>();
  for (const run of runs) for (const [path, names] of run) addNames(joined, path, names);
  return joined;
}

/** Says which source file the code at an offset of a bundle's file is from. */
function createLocator(file: string): (offset: number) => string | undefined {
  const text = readFileSync(file, "latin1");
  const lines = [BUILD_NAME.exec(text)?.[0].length ?? 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  const encoded = text.slice(text.lastIndexOf(INLINE_MAP) + INLINE_MAP.length).trim();
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
  return (offset) => {
    const at = offset - WRAPPER.length;
    const line = lines.findLastIndex((start) => start <= at);
    const { originalSource }: Partial<SourceMapping> = map.findEntry(Math.max(0, line), at - (lines[line] ?? 0));
    return originalSource;
  };
}

/** Reads coverage of processes that ran a readable build in `tree`. */
export function createCoverageReader(tree: string) {
  const dist = join(tree, "packages/claw/dist");
  const locators = new Map<string, ReturnType<typeof createLocator>>();
  const locatorOf = (file: string): ReturnType<typeof createLocator> => {
    const locate = locators.get(file) ?? createLocator(file);
    locators.set(file, locate);
    return locate;
  };

  /** Empty for a process that played an agent. */
  function filesRun(coverage: Coverage): FilesRun {
    const scripts = coverage.result.flatMap(({ url, functions }) => {
      const file = url.replace(/^file:\/\//, "");
      return file.startsWith(dist) && file.endsWith(".cjs") ? [{ file, functions }] : [];
    });
    const files = new Map<string, Set<string>>();
    if (scripts.some(({ file }) => basename(file) === "fake-agent.cjs")) return files;
    for (const { file, functions } of scripts) {
      const locate = locatorOf(file);
      // The first two are the whole script and its wrapper.
      for (const { functionName, ranges } of functions.slice(2)) {
        const [range] = ranges;
        if (range === undefined || range.count === 0 || LOADS_MODULE.test(functionName)) continue;
        const source = locate(range.startOffset);
        const path = source === undefined ? "" : relative(join(tree, "packages"), join(dist, source));
        if (/^(?:claw|client|contract)\/src\//.test(path)) addNames(files, path, [functionName]);
      }
    }
    return files;
  }

  /** The files run by the processes that wrote into a folder: all of them, or those whose file `wants` picks. */
  return function read(folder: string, wants: (name: string) => boolean = () => true): FilesRun {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json") && wants(name));
    return joinRuns(names.map((name) => filesRun(JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage)));
  };
}
