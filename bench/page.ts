import { daemonLoad } from "./page/daemon-load.ts";
import type { Suite } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

/** The page in a real browser, and what the page costs the daemon. */
export const page: Suite = (progress) => withTempFolder((folder) => daemonLoad(folder, progress));
