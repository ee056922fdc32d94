import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUS_ERROR_CODES, CLIENT_ERROR_CODES, ERROR_CODES } from "claw-contract";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { MODULES, PACKAGES } from "./architecture/module-table.ts";
import type { SourceFile } from "./architecture/source-tree.ts";
import { importsOf, isGenerated, isTest, lineOf, readSourceTree, ROOT, walk } from "./architecture/source-tree.ts";

const ARCHITECTURE = readFileSync(join(ROOT, "docs/ARCHITECTURE.md"), "utf8");

const files = readSourceTree();
const product = files.filter((file) => file.path.startsWith("packages/") && !isTest(file) && !isGenerated(file));

/** Every place where a rule is broken, as `path:line what`. */
function places(of: readonly SourceFile[], find: (node: ts.Node, file: SourceFile) => string | undefined): string[] {
  return of.flatMap((file) => {
    const found: string[] = [];
    walk(file.tree, (node) => {
      const what = find(node, file);
      if (what !== undefined) found.push(`${file.path}:${lineOf(file, node)} ${what}`);
    });
    return found;
  });
}

type DependencyKind = "dependencies" | "devDependencies" | "optionalDependencies";

function manifestOf(name: string): Partial<Record<DependencyKind | "exports", Record<string, string>>> {
  const manifest = join(ROOT, "packages", name, "package.json");
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as ReturnType<typeof manifestOf>) : {};
}

function dependenciesOf(name: string): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifestOf(name);
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

const moduleOf = (path: string): string | undefined => /^packages\/claw\/src\/([^/]+)\//.exec(path)?.[1];

describe("modules", () => {
  test("the module table has a row for every folder of the program, and no other", () => {
    const folders = new Set(product.flatMap((file) => moduleOf(file.path) ?? []));
    expect([...folders].toSorted()).toEqual(Object.keys(MODULES).toSorted());
  });

  test("a folder imports only what the module table allows, and only through index.ts", () => {
    const broken = product.flatMap((file) => {
      const own = moduleOf(file.path);
      return importsOf(file).flatMap(({ specifier }) => {
        if (own === undefined || !specifier.startsWith(".")) return [];
        const target = join(dirname(file.path), specifier);
        const other = moduleOf(target);
        if (other === undefined || other === own) return [];
        const allowed = MODULES[own]?.includes(other) && target.endsWith(`/${other}/index.ts`);
        return allowed ? [] : [`${file.path} imports ${target}`];
      });
    });
    expect(broken).toEqual([]);
  });

  test("only the main of the command line imports the MCP server", () => {
    const importers = product.filter((file) =>
      importsOf(file).some(({ specifier }) => specifier.endsWith("/mcp/index.ts")),
    );
    expect(importers.map(({ path }) => path)).toEqual(["packages/claw/src/cli/main.ts"]);
  });

  test("a package imports only what its row allows", () => {
    const broken = product.flatMap((file) => {
      const name = file.path.split("/")[1] ?? "";
      const allowed = PACKAGES[name] ?? [];
      return importsOf(file).flatMap(({ specifier }) => {
        if (specifier.startsWith(".")) return [];
        const fits = allowed.some(
          (entry) =>
            specifier === entry ||
            specifier.startsWith(`${entry}/`) ||
            (entry === "node:" && specifier.startsWith(entry)),
        );
        return fits ? [] : [`${file.path} imports ${specifier}`];
      });
    });
    expect(broken).toEqual([]);
  });

  test("every dependency of a package is pinned, in its row, and in the dependency table", () => {
    const rows = ARCHITECTURE.split("\n").filter((line) => line.startsWith("| `"));
    const toldOf = new Set(rows.flatMap((row) => row.split("|")[1]?.match(/(?<=`)[^`,]+(?=`)/g) ?? []));
    const broken = Object.entries(PACKAGES).flatMap(([name, allowed]) =>
      Object.entries(dependenciesOf(name)).flatMap(([dependency, version]) => {
        const told = dependency.startsWith("claw-") || toldOf.has(dependency);
        const fits = allowed.includes(dependency) && /^\d+\.\d+\.\d+$/.test(version) && told;
        return fits ? [] : [`${name}: ${dependency} ${version}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test("an installation needs programs only: every library is bundled", () => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf("claw");
    expect([Object.keys(dependencies), Object.keys(optionalDependencies)]).toEqual([
      ["@vscode/ripgrep"],
      ["@lydell/node-pty"],
    ]);
  });

  test("what runs in browsers imports no module of Node", () => {
    const found = product.flatMap((file) =>
      /^packages\/client\/src\/(?!node\b)/.test(file.path)
        ? importsOf(file).flatMap(({ specifier }) => (/^node:|\/node(\.ts|\/)/.test(specifier) ? [file.path] : []))
        : [],
    );
    expect(found).toEqual([]);
  });

  test("a shelf of the bus names the shelves it uses: only request handlers and the host of extensions get all", () => {
    const bus = "packages/claw/src/bus/";
    const holders = product
      .filter((file) => importsOf(file).some(({ specifier }) => specifier.endsWith("/bus-context.ts")))
      .map((file) => file.path.slice(bus.length))
      .filter((path) => path.includes("/") && !path.startsWith("requests/"));
    expect(holders).toEqual(["extension/bus-host.ts"]);
  });

  test("each error code that the bus, the daemon or a client names is one that clients know", () => {
    const known: ReadonlySet<string> = new Set([...CLIENT_ERROR_CODES, ...BUS_ERROR_CODES]);
    const catalogue: ReadonlySet<string> = new Set(ERROR_CODES);
    const speakers =
      /^packages\/(?:client\/|contract\/src\/wire\/|claw\/src\/(?:bus|daemon|files|process|terminals)\/)/;
    const speaking = product.filter(({ path }) => speakers.test(path));
    const unknown = places(speaking, (node) =>
      ts.isStringLiteral(node) && catalogue.has(node.text) && !known.has(node.text) ? node.text : undefined,
    );
    expect(unknown).toEqual([]);
  });

  test("no file imports its own folder's index.ts", () => {
    const broken = product.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) => (specifier === "./index.ts" ? [file.path] : [])),
    );
    expect(broken).toEqual([]);
  });
});

describe("sizes", () => {
  const MAX_ARCHITECTURE_LINES = 150;
  const MAX_FILE_LINES = 300;
  const MAX_TEST_LINES = 500;
  const MAX_FUNCTION_LINES = 45;
  const MAX_PARAMETERS = 4;

  test(`no source file is longer than ${MAX_FILE_LINES} lines, no test than ${MAX_TEST_LINES}`, () => {
    const long = files.flatMap((file) => {
      const lines = file.text.split("\n").length;
      const limit = isTest(file) ? MAX_TEST_LINES : MAX_FILE_LINES;
      return lines > limit && !isGenerated(file) ? [`${file.path}: ${lines}`] : [];
    });
    expect(long).toEqual([]);
  });

  test(`docs/ARCHITECTURE.md has ${MAX_ARCHITECTURE_LINES} lines at most`, () => {
    expect(ARCHITECTURE.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_ARCHITECTURE_LINES);
  });

  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    const long = places(product, (node, file) => {
      if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return undefined;
      const end = file.tree.getLineAndCharacterOfPosition(node.end).line + 1;
      const lines = end - lineOf(file, node) + 1;
      return lines > MAX_FUNCTION_LINES ? `is ${lines} lines long` : undefined;
    });
    expect(long).toEqual([]);
  });

  test(`no function takes more than ${MAX_PARAMETERS} parameters`, () => {
    const wide = places(product, (node) =>
      ts.isFunctionLike(node) && node.parameters.length > MAX_PARAMETERS ? "takes too many" : undefined,
    );
    expect(wide).toEqual([]);
  });
});

describe("bans", () => {
  const BANNED_NAMES = /(^|\/)(core|utils?|helpers?|common|misc|types|shared|manager)(\/|\.ts$)/;

  test("no file or folder has a name that says nothing", () => {
    expect(files.map((file) => file.path).filter((path) => BANNED_NAMES.test(path))).toEqual([]);
  });

  test("names are kebab-case", () => {
    const odd = files.map((file) => file.path).filter((path) => !/^[a-z0-9./-]+$/.test(path));
    expect(odd).toEqual([]);
  });

  test("no module keeps state in a top-level let or var", () => {
    const found = product.flatMap((file) =>
      file.tree.statements.flatMap((statement) =>
        ts.isVariableStatement(statement) && !(statement.declarationList.flags & ts.NodeFlags.Const)
          ? [`${file.path}:${lineOf(file, statement)}`]
          : [],
      ),
    );
    expect(found).toEqual([]);
  });

  test("no catch is empty", () => {
    const found = places(files, (node) =>
      ts.isCatchClause(node) && node.block.statements.length === 0 ? "swallows an error" : undefined,
    );
    expect(found).toEqual([]);
  });

  test("only the renderer's writer prints", () => {
    const printers = /\b(console|process\.(stdout|stderr))\b/;
    const found = places(product, (node, file) => {
      if (!ts.isCallExpression(node)) return undefined;
      const callee = node.expression.getText(file.tree);
      const writesStream = callee === "writeSync" && file.path !== "packages/claw/src/cli/output/write-output.ts";
      return printers.test(callee) || writesStream ? `calls ${callee}` : undefined;
    });
    expect(found).toEqual([]);
  });

  test("signals are joined and limited by joinSignals: Node 20 lets a collection take the others away", () => {
    const found = places(files, (node, file) => {
      if (!ts.isPropertyAccessExpression(node)) return undefined;
      const name = node.getText(file.tree);
      return /^(globalThis\.)?AbortSignal\.(any|timeout)$/.test(name) ? `uses ${name}` : undefined;
    });
    expect(found).toEqual([]);
  });

  test("only mains end the process or read its arguments", () => {
    const found = places(product, (node, file) =>
      ts.isPropertyAccessExpression(node) &&
      /^process\.(exit|exitCode|argv)$/.test(node.getText(file.tree)) &&
      !/\/(main|version)\.ts$|\/bin\//.test(file.path)
        ? node.getText(file.tree)
        : undefined,
    );
    expect(found).toEqual([]);
  });

  test("git is started in one place, which keeps it from starting what a folder names", () => {
    const isGit = (node: ts.Node | undefined): boolean =>
      node !== undefined && ts.isStringLiteralLike(node) && /^(?:.*\/)?git$/.test(node.text);
    const found = places(product, (node, file) => {
      if (file.path === "packages/claw/src/process/run-git.ts") return undefined;
      const words = ts.isArrayLiteralExpression(node) ? node.elements : ts.isCallExpression(node) ? node.arguments : [];
      const [program, next] = words;
      const isCommand = next === undefined || ts.isStringLiteralLike(next) || ts.isSpreadElement(next);
      return isGit(program) && (isCommand || ts.isCallExpression(node)) ? "starts git" : undefined;
    });
    expect(found).toEqual([]);
  });

  test("nothing is classified by the text of a message", () => {
    const readers = new Set(["includes", "startsWith", "endsWith", "match", "matchAll", "indexOf", "search"]);
    const found = places(product, (node, file) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
      const { expression: receiver, name } = node.expression;
      const reads = readers.has(name.text) && /(^|\.)message$/.test(receiver.getText(file.tree));
      const tests =
        /^(test|exec)$/.test(name.text) &&
        node.arguments.some((argument) => /(^|\.)message\b/.test(argument.getText(file.tree)));
      return reads || tests ? "reads a message" : undefined;
    });
    expect(found).toEqual([]);
  });

  test("errors of the catalogue are made with a literal or a typed code, and envelopes only by respond()", () => {
    const makers = product.filter((file) => /schema_version:/.test(file.text) && !file.path.includes("/envelopes/"));
    expect(makers.map((file) => file.path)).toEqual([]);
  });

  test("numbers of exits stand in the exit table alone", () => {
    const found = product.filter((file) => /process\.exit\(\s*[1-9]/.test(file.text)).map((file) => file.path);
    expect(found).toEqual([]);
  });

  test("the tree speaks of the product alone", () => {
    const words = /\b(TODO|FIXME|XXX|HACK)\b|(?<![\w.])\/(?:work|farm|root)\/|registry\.[a-z]+\.(?:org|com)/;
    const found = files.filter((file) => words.test(file.text) && file.path !== "test/architecture.test.ts");
    expect(found.map((file) => file.path)).toEqual([]);
  });
});

describe("dead code", () => {
  const exported = new Set(
    Object.keys(PACKAGES).flatMap((name) =>
      Object.values(manifestOf(name).exports ?? {}).map((path) => join("packages", name, path)),
    ),
  );

  test("every source file is reached from an entry or a test", () => {
    const entries = files.filter(
      (file) =>
        isTest(file) ||
        file.path.includes("/testing/") ||
        /\/(main|index)\.ts$/.test(file.path) ||
        exported.has(file.path) ||
        /^(scripts|bench)\//.test(file.path) ||
        !file.path.endsWith(".ts"),
    );
    const known = new Map(files.map((file) => [file.path, file]));
    const reached = new Set<string>();
    const queue = entries.filter((file) => !file.path.endsWith(".test.ts"));
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (reached.has(file.path)) continue;
      reached.add(file.path);
      for (const { specifier } of importsOf(file)) {
        const target = specifier.startsWith(".") ? known.get(join(dirname(file.path), specifier)) : undefined;
        if (target !== undefined) queue.push(target);
      }
    }
    const dead = product
      .filter((file) => !reached.has(file.path) && file.path.endsWith(".ts"))
      .map((file) => file.path);
    expect(dead).toEqual([]);
  });
});
