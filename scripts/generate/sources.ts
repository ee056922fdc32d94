import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const BANNER = "// Made by `npm run generate`. Edit the verb's contract instead.\n";

interface VerbFile {
  readonly verb: string;
  readonly constant: string;
}

/** The verbs of the contract, by file name, and the constant each file declares. */
function verbFiles(root: string): VerbFile[] {
  const folder = join(root, "packages/contract/src/verbs");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !/\.(test|generated)\.ts$/.test(file))
    .toSorted()
    .map((file) => {
      const constant = /export const (\w+) = defineVerb\(/.exec(readFileSync(join(folder, file), "utf8"))?.[1];
      if (constant === undefined) throw new Error(`${file} declares no verb`);
      return { verb: file.slice(0, -".ts".length), constant };
    });
}

function verbIndex(files: readonly VerbFile[]): string {
  const imports = files.map(({ verb, constant }) => `import { ${constant} } from "./${verb}.ts";`);
  const entries = files.map(({ verb, constant }) => `  ${JSON.stringify(verb)}: ${constant},`);
  return `${BANNER}${imports.join("\n")}\n\n/** Every verb, by name. */\nexport const VERBS = {\n${entries.join("\n")}\n} as const;\n`;
}

function handlerIndex(files: readonly VerbFile[]): string {
  const entries = files.map(
    ({ verb }) => `  ${JSON.stringify(verb)}: async () => (await import("./${verb}.ts")).handler,`,
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
