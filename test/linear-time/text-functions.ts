import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import type { SourceFile } from "../architecture/source-tree.ts";
import { importsOf, ROOT } from "../architecture/source-tree.ts";
import type { Work } from "./growth.ts";
import { growsTooFast, pumped, shortestMs } from "./growth.ts";

export interface TextFunction {
  readonly where: string;
  readonly work: Work;
}

/** Modules of Node that reach nothing outside of the process. */
const HARMLESS = new Set([
  "node:path",
  "node:crypto",
  "node:util",
  "node:buffer",
  "node:string_decoder",
  "claw-contract",
]);

/** The files that import, themselves or through others, nothing but pure code: they may be called with anything. */
function pureFiles(sources: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const known = new Map<string, boolean>();
  const isPure = (file: SourceFile | undefined): boolean => {
    if (file === undefined) return false;
    const before = known.get(file.path);
    if (before !== undefined) return before;
    known.set(file.path, true);
    const pure = importsOf(file)
      .filter(({ typeOnly }) => !typeOnly)
      .every(({ specifier }) =>
        specifier.startsWith(".") ? isPure(byPath.get(join(dirname(file.path), specifier))) : HARMLESS.has(specifier),
      );
    known.set(file.path, pure);
    return pure;
  };
  return sources.filter(isPure);
}

type Callable = ts.FunctionDeclaration | ts.ArrowFunction;

/** The functions a file exports by name. */
function exportsOf({ tree }: SourceFile): { name: string; callable: Callable }[] {
  return tree.statements.flatMap((statement): { name: string; callable: Callable }[] => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
      return [{ name: statement.name.text, callable: statement }];
    }
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)
        ? [{ name: name.text, callable: initializer }]
        : [],
    );
  });
}

const ARGUMENTS: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  unknown: (text) => text,
  number: () => 80,
  boolean: () => false,
  "readonly string[]": (text) => [text],
};

/** How the function is called with nothing but a text; undefined when it takes something else. */
function argumentsFor({ parameters }: Callable, file: SourceFile): ((text: string) => unknown[]) | undefined {
  const makers = parameters
    .filter(({ questionToken, initializer }) => questionToken === undefined && initializer === undefined)
    .map(({ type }) => ARGUMENTS[type?.getText(file.tree) ?? ""]);
  const isOfText = /^(?:string|unknown)$/.test(parameters[0]?.type?.getText(file.tree) ?? "");
  if (makers.includes(undefined) || !isOfText) return undefined;
  return (text) => makers.map((make) => make?.(text));
}

const isAsync = ({ modifiers }: Callable): boolean =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;

async function functionsIn(file: SourceFile): Promise<TextFunction[]> {
  const callables = exportsOf(file).filter(({ callable }) => !isAsync(callable));
  if (callables.every(({ callable }) => argumentsFor(callable, file) === undefined)) return [];
  const module = (await import(pathToFileURL(join(ROOT, file.path)).href)) as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  return callables.flatMap(({ name, callable }) => {
    const make = argumentsFor(callable, file);
    const call = module[name];
    return make === undefined || call === undefined
      ? []
      : [{ where: `${file.path} ${name}`, work: (text) => attempt(() => call(...make(text))) }];
  });
}

/** A refusal is an answer too. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** Every exported function of pure code that can be called with a text. */
export async function textFunctions(sources: readonly SourceFile[]): Promise<TextFunction[]> {
  const found = await Promise.all(pureFiles(sources).map(functionsIn));
  return found.flat();
}

/** What programs, people and attackers put into texts, again and again. */
const SEQUENCES = ["\u001b[m", "\u001b[", "\u001b]0;", "\0", "\u0301", "é", "字", "👍🏽"];
const BLANKS = [" ", "\t", "\n", "\r", "\r\n", "\n ", "a ", " @"];
const MARKS = Array.from("[]{}()\"'`\\<>*_-/$&=%#.,:;|!~@+?a1");
const PAIRS = ['\\"', '[\\"', "``", "**", "*a", "__", "//", "../", "</", "<a ", "a@", "a=", "1.", "${a:-"];
const WORDS = [
  "token=",
  'token="',
  "Bearer ",
  "sk-",
  "eyJ",
  "://a:",
  "-----BEGIN PRIVATE KEY-----",
  "[Pasted ",
  "[CLAWS_CMD r=",
];
const PIECES = [...SEQUENCES, ...BLANKS, ...MARKS, ...PAIRS, ...WORDS];
const LOOK_CHARS = 1000;
const JUDGED = 2;
/** The square of `LOOK_CHARS` takes longer than this anywhere, so nothing of interest is passed over. */
const QUICK_MS = 0.04;

/** What has the work take more than its share of time, and how much more; undefined when nothing is found. */
export function slowPiece(work: Work): string | undefined {
  const slowest = ["", "[", "a"]
    .flatMap((start) => PIECES.flatMap((piece) => ["", "\u0001"].map((end) => pumped(start, piece, end))))
    .map((make) => ({ make, ms: shortestMs(work, make(LOOK_CHARS), 1) }))
    .filter(({ ms }) => ms > QUICK_MS)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, JUDGED);
  for (const { make } of slowest) {
    const growth = growsTooFast(work, make);
    if (growth !== undefined) return `${JSON.stringify(make(40))}: ${growth.toFixed(1)}`;
  }
  return undefined;
}
