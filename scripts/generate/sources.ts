import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const REQUEST_BANNER = "// Made by `npm run generate`. Edit the request's contract instead.\n";
const BANNER = "// Made by `npm run generate`. Edit the verb's contract instead.\n";

interface DeclaringFile {
  /** The verb as it is typed, or the `cmd` of the request. */
  readonly name: string;
  /** Below the searched folder. */
  readonly path: string;
  readonly constant: string;
}

/** Constants that `pattern` finds in the sources below a folder, by the name each declares. Several may stand in one file. */
function findDeclared(folder: string, pattern: RegExp): DeclaringFile[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".ts") && !/\.(test|generated)\.ts$/.test(file),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(pattern)].map(([, constant = "", name = ""]) => ({
      name,
      path: file.replaceAll("\\", "/"),
      constant,
    })),
  );
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function verbIndex(verbs: readonly DeclaringFile[]): string {
  const imports = verbs.map(({ path, constant }) => `import { ${constant} } from "./${path}";`);
  const entries = verbs.map(({ name, constant }) => `  ${JSON.stringify(name)}: ${constant},`);
  return `${BANNER}${imports.join("\n")}\n\n/** Every verb, by name. */\nexport const VERBS = {\n${entries.join("\n")}\n} as const;\n`;
}

function handlerIndex(handlers: readonly DeclaringFile[]): string {
  const entries = handlers.map(
    ({ name, path }) => `  ${JSON.stringify(name)}: async () => (await import("../${path}")).handler,`,
  );
  return `${BANNER}import type { HandlerLoaders } from "./handle.ts";\n\n/** Handlers are loaded when their verb is called. */\nexport const HANDLERS: HandlerLoaders = {\n${entries.join("\n")}\n};\n`;
}

function requestIndex(files: readonly DeclaringFile[]): string {
  const imports = files.map(({ path, constant }) => `import { ${constant} } from "./${path}";`);
  const entries = files.map(({ name, constant }) => `  ${JSON.stringify(name)}: ${constant},`);
  return `${REQUEST_BANNER}${imports.join("\n")}\n\n/** Every request of the wire, by its \`cmd\`. */\nexport const REQUESTS = {\n${entries.join("\n")}\n} as const;\n`;
}

function busHandlerIndex(handlers: readonly DeclaringFile[]): string {
  const paths = [...new Set(handlers.map(({ path }) => path))].toSorted();
  const imports = paths.map((path) => {
    const names = handlers.flatMap((handler) => (handler.path === path ? handler.constant : [])).toSorted();
    return `import { ${names.join(", ")} } from "./${path}";`;
  });
  const entries = handlers.map(({ name, constant }) => `  [${JSON.stringify(name)}, ${constant}],`);
  return `${REQUEST_BANNER}${imports.join("\n")}\nimport type { RequestHandler } from "./request-handler.ts";\n\n/** The bus's own handlers, by the request's \`cmd\`. */\nexport const HANDLERS: ReadonlyMap<unknown, RequestHandler> = new Map<unknown, RequestHandler>([\n${entries.join("\n")}\n]);\n`;
}

/** Files that only list verbs, requests and handlers. They come first: the other generators import the contract through them. */
export function sourceIndexes(root: string): Map<string, string> {
  const verbs = join(root, "packages/contract/src/verbs");
  const verbHandlers = join(root, "packages/claw/src/verbs");
  const requests = join(root, "packages/contract/src/wire/requests");
  const busHandlers = join(root, "packages/claw/src/bus/requests");
  return new Map([
    [
      "packages/contract/src/verbs/index.generated.ts",
      verbIndex(findDeclared(verbs, /export const (\w+) = defineVerb\(\{\s*name: "([^"]+)"/g)),
    ],
    [
      "packages/contract/src/wire/requests/index.generated.ts",
      requestIndex(findDeclared(requests, /export const (\w+) = defineRequest\(\{\s*name: "([^"]+)"/g)),
    ],
    [
      "packages/claw/src/bus/requests/handlers.generated.ts",
      busHandlerIndex(findDeclared(busHandlers, /export const (\w+) = handleRequest\(\s*"([^"]+)"/g)),
    ],
    [
      "packages/claw/src/verbs/runtime/handlers.generated.ts",
      handlerIndex(findDeclared(verbHandlers, /export const (handler) = handle\(\s*"([^"]+)"/g)),
    ],
  ]);
}
