import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 compile the HTTP parser of `fetch` once. On Node 20, V8 compiles the largest function of this WebAssembly
 * module again during the first answer, with optimisation, and a process cannot exit before that is done. Newer versions
 * exit at once. Serves the row "claw -p, a whole text run".
 */
export function compileParserOnce(version = process.versions.node, setFlags = setFlagsFromString): void {
  if (version.startsWith("20.")) setFlags("--liftoff-only");
}
