import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const SKIPPED = new Set(["node_modules", "dist", "fixtures", ".git"]);

function pathsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? pathsBelow(path) : [path];
  });
}

/** Every file that is code, parsed once. */
export function readSourceTree(): SourceFile[] {
  return pathsBelow("")
    .filter((path) => /\.(ts|tsx|mjs|cjs)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
    });
}

export const isTest = ({ path }: SourceFile): boolean =>
  /\.(test|conformance)\.ts$|\/testing\//.test(path) || path.startsWith("test/");

export const isGenerated = ({ path }: SourceFile): boolean => path.endsWith(".generated.ts");

export const lineOf = (file: SourceFile, node: ts.Node): number =>
  file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;

/** Calls `visit` for every node below the given one. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Every module a file imports, statically or not, for its values or only its types. */
export function importsOf(file: SourceFile): { specifier: string; typeOnly: boolean }[] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  walk(file.tree, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ specifier: node.moduleSpecifier.text, typeOnly: node.importClause?.isTypeOnly ?? false });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) found.push({ specifier: argument.text, typeOnly: false });
    }
  });
  return found;
}
