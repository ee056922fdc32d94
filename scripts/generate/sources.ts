import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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

/** Files that only list the verb files. They come first: the other generators import the contract through them. */
export function sourceIndexes(root: string): Map<string, string> {
  const files = verbFiles(root);
  return new Map([
    ["packages/contract/src/verbs/index.generated.ts", verbIndex(files)],
    ["packages/claw/src/verbs/handlers.generated.ts", handlerIndex(files)],
  ]);
}
