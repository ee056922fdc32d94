export { createByteTail } from "./byte-tail.ts";
export { endMarked } from "./end-marked.ts";
export { findProgram } from "./find-program.ts";
export type { OpenProcess } from "./open-process.ts";
export { openProcess } from "./open-process.ts";
export type { ProcessIdentity } from "./process-identity.ts";
export { identifySelf, isRunning } from "./process-identity.ts";
export { runCommand } from "./run-command.ts";
export { runGit } from "./run-git.ts";
