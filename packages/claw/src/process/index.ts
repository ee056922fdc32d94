export type { ProcessIdentity } from "./process-identity.ts";
export { identifySelf, isRunning } from "./process-identity.ts";
export { runCommand } from "./run-command.ts";
