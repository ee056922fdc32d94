import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Ports } from "./handle.ts";

/** The folder of the page's files, which lies with the program. */
export const pageFolderOf = ([, script = ""]: Ports["program"]): string =>
  join(dirname(realpathSync(script)), "..", "dist", "page");

/** Parts of the program lie beside it, wherever the link leads that it was called by. */
export const partOf =
  ([node, script = ""]: Ports["program"]) =>
  (name: string): [string, ...string[]] => [node, join(dirname(realpathSync(script)), "part.cjs"), name];
