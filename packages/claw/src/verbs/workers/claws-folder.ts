import { join } from "node:path";
import type { Ports } from "../runtime/handle.ts";

/** Where the daemon keeps what belongs to the working folder. */
export const clawsFolder = ({ cwd }: Ports): string => join(cwd, ".claws");
