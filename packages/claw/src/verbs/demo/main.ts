import { basename } from "node:path";
import { removeDemo } from "./end-demo.ts";
import { DEMO_PREFIX } from "./demo-mark.ts";

/** Ends what a demonstration has left that was killed: `FOLDER`, the one it made for itself. */
const [folder = ""] = process.argv.slice(2);
if (basename(folder).startsWith(DEMO_PREFIX)) void removeDemo(folder);
