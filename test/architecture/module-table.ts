/** What each folder of `packages/claw/src` may import besides the contract. The table of docs/ARCHITECTURE.md. */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  process: [],
  files: ["process"],
  settings: ["files"],
  sessions: ["files"],
  bus: ["files"],
  terminals: ["process", "files"],
  harness: ["process"],
  worker: ["client", "harness", "process", "files"],
  agent: ["process", "files", "settings", "sessions"],
  daemon: ["bus", "terminals", "process", "files"],
  verbs: ["client", "process", "files", "settings", "sessions", "harness", "agent", "daemon", "worker", "terminals"],
  mcp: ["verbs"],
  cli: ["files", "settings", "sessions", "verbs"],
};

/** What each package may depend on. `node:` modules count as one. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: ["zod"],
  client: ["@claw/contract", "node:"],
  claw: [
    "@claw/contract",
    "@claw/client",
    "@anthropic-ai/sdk",
    "@lydell/node-pty",
    "@modelcontextprotocol/client",
    "@vscode/ripgrep",
    "@xterm/addon-serialize",
    "@xterm/addon-unicode11",
    "@xterm/headless",
    "diff",
    "node:",
    "openai",
    "picocolors",
    "ws",
    "yaml",
    "zod",
  ],
  dashboard: ["@claw/contract", "@claw/client"],
};
