import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./outside-project.ts";

const examplesOf = (path: string): string[] =>
  [...readFileSync(join(REPOSITORY, path), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

/** Names that the examples leave open, as the arguments of a program. */
const GIVEN = `const socketPath: string = process.argv[2] ?? "";
const url: string = process.argv[2] ?? "";
const fetchToken = async (): Promise<string> => process.argv[3] ?? "";
`;

/** An example as a program: its imports first, then the names it leaves open. */
function programOf(code: string): string {
  const lines = code.split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const body = lines.filter((line) => !line.startsWith("import "));
  return [...imports, GIVEN, ...body, "export {};", ""].join("\n");
}

const namesOf = (prefix: string, path: string): [string, string][] =>
  examplesOf(path).map((code, at) => [`${prefix}-${at}`, programOf(code)]);

/** The examples of the READMEs of the packages, by their names: `client-0`, …, `contract-0`, … */
export const readmePrograms = (): ReadonlyMap<string, string> =>
  new Map([...namesOf("client", "packages/client/README.md"), ...namesOf("contract", "packages/contract/README.md")]);
