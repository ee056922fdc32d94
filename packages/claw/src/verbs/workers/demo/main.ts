import { basename } from "node:path";
import { removeDemo } from "./end-demo.ts";
import { DEMO_PREFIX } from "./demo-place.ts";

/** Cleans up after a demonstration that was killed. `FOLDER` is the folder that the demonstration made. */
const [folder = ""] = process.argv.slice(2);
if (basename(folder).startsWith(DEMO_PREFIX)) void removeDemo(folder);
