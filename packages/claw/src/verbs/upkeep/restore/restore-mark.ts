import { sep } from "node:path";

/** The folder of a workspace in which a restore prepares what takes the place of the old. */
const STAGE = ".claw-restore";

export const stageOf = (cwd: string): string => `${cwd}${sep}${STAGE}`;

/** The file that says: from here on, the prepared folders take the place of the old. */
export const restoreMark = (cwd: string): string => `${stageOf(cwd)}${sep}decided`;
