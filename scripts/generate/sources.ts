import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const REQUEST_BANNER = "// Made by `npm run generate`. Edit the request's contract instead.\n";
const BANNER = "// Made by `npm run generate`. Edit the verb's contract instead.\n";

interface VerbFile {
  /** As it is typed: of a two-word verb, the folder is the first word and the file the second. */
  readonly verb: string;
  /** Without its ending, below the folder of the verbs. */
  readonly path: string;
  readonly constant: string;
}

/** The verbs of the contract, by file name, and the constant each file declares. */
function verbFiles(root: string): VerbFile[] {
  const folder = join(root, "packages/contract/src/verbs");
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !/\.(test|generated)\.ts$/.test(file))
    .toSorted()
    .map((file) => {
      const constant = /export const (\w+) = defineVerb\(/.exec(readFileSync(join(folder, file), "utf8"))?.[1];
      if (constant === undefined) throw new Error(`${file} declares no verb`);
      const path = file.slice(0, -".ts".length).replaceAll("\\", "/");
      return { verb: path.replaceAll("/", " "), path, constant };
    });
}

function verbIndex(files: readonly VerbFile[]): string {
  const imports = files.map(({ path, constant }) => `import { ${constant} } from "./${path}.ts";`);
  const entries = files.map(({ verb, constant }) => `  ${JSON.stringify(verb)}: ${constant},`);
  return `${BANNER}${imports.join("\n")}\n\n/** Every verb, by name. */\nexport const VERBS = {\n${entries.join("\n")}\n} as const;\n`;
}

function handlerIndex(files: readonly VerbFile[]): string {
  const entries = files.map(
    ({ verb, path }) => `  ${JSON.stringify(verb)}: async () => (await import("./${path}.ts")).handler,`,
  );
  return `${BANNER}import type { HandlerLoaders } from "./handle.ts";\n\n/** Handlers are loaded when their verb is called. */\nexport const HANDLERS: HandlerLoaders = {\n${entries.join("\n")}\n};\n`;
}

interface RequestFile {
  /** The `cmd` of the request. */
  readonly name: string;
  /** Below the folder of the requests. */
  readonly path: string;
  readonly constant: string;
}

/** The requests of the wire, each in a file of its own. */
function requestFiles(root: string): RequestFile[] {
  const folder = join(root, "packages/contract/src/wire/requests");
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".ts") && !/\.(test|generated)\.ts$/.test(file),
  );
  const found = files.flatMap((file) => {
    const declared = /export const (\w+) = defineRequest\(\{\s*name: "([^"]+)"/.exec(
      readFileSync(join(folder, file), "utf8"),
    );
    const [, constant, name] = declared ?? [];
    // A file without a request holds parts that several requests share.
    return constant === undefined || name === undefined ? [] : [{ name, path: file.replaceAll("\\", "/"), constant }];
  });
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function requestIndex(files: readonly RequestFile[]): string {
  const imports = files.map(({ path, constant }) => `import { ${constant} } from "./${path}";`);
  const entries = files.map(({ name, constant }) => `  ${JSON.stringify(name)}: ${constant},`);
  return `${REQUEST_BANNER}${imports.join("\n")}\n\n/** Every request of the wire, by its \`cmd\`. */\nexport const REQUESTS = {\n${entries.join("\n")}\n} as const;\n`;
}

/** The handlers of the bus, by the request that each answers. Several may stand in one file. */
function busHandlers(root: string): RequestFile[] {
  const folder = join(root, "packages/claw/src/bus/requests");
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".ts") && !/\.(test|generated)\.ts$/.test(file),
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const declared = [...text.matchAll(/export const (\w+) = handleRequest\(\s*"([^"]+)"/g)];
    return declared.map(([, constant = "", name = ""]) => ({ name, path: file.replaceAll("\\", "/"), constant }));
  });
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function busHandlerIndex(handlers: readonly RequestFile[]): string {
  const paths = [...new Set(handlers.map(({ path }) => path))].toSorted();
  const imports = paths.map((path) => {
    const names = handlers.flatMap((handler) => (handler.path === path ? handler.constant : [])).toSorted();
    return `import { ${names.join(", ")} } from "./${path}";`;
  });
  const entries = handlers.map(({ name, constant }) => `  [${JSON.stringify(name)}, ${constant}],`);
  return `${REQUEST_BANNER}${imports.join("\n")}\nimport type { RequestHandler } from "./request-handler.ts";\n\n/** The bus's own handlers, by the request's \`cmd\`. */\nexport const HANDLERS: ReadonlyMap<unknown, RequestHandler> = new Map<unknown, RequestHandler>([\n${entries.join("\n")}\n]);\n`;
}

/** Files that only list the verb files. They come first: the other generators import the contract through them. */
export function sourceIndexes(root: string): Map<string, string> {
  const files = verbFiles(root);
  return new Map([
    ["packages/contract/src/verbs/index.generated.ts", verbIndex(files)],
    ["packages/contract/src/wire/requests/index.generated.ts", requestIndex(requestFiles(root))],
    ["packages/claw/src/bus/requests/handlers.generated.ts", busHandlerIndex(busHandlers(root))],
    ["packages/claw/src/verbs/handlers.generated.ts", handlerIndex(files)],
  ]);
}
