export { readAbout, storedTerminals } from "./about-terminal.ts";
export { endLostTerminals } from "./end-lost.ts";
export type { HostAddress, HostClient, HostListener } from "./host-client.ts";
export { connectHost } from "./host-client.ts";
export { findHost } from "./host-record.ts";
export { startHost } from "./start-host.ts";
export { openStoredTerminal } from "./stored-terminal.ts";
export { terminalEnvironment } from "./terminal-environment.ts";
