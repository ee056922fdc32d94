export { readAbout, storedTerminals } from "./storage/about-terminal.ts";
export { endLostTerminals } from "./host/end-lost.ts";
export type { HostAddress, HostClient, HostListener } from "./client/host-client.ts";
export { connectHost } from "./client/host-client.ts";
export { findHost } from "./storage/host-record.ts";
export { startHost } from "./client/start-host.ts";
export { openStoredTerminal } from "./storage/stored-terminal.ts";
export { terminalEnvironment } from "./pty/terminal-environment.ts";
