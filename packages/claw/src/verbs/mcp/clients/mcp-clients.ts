import { isAbsolute, join } from "node:path";
import type { Environment, VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { EntryMembers } from "./config-format.ts";

export type McpClientName = VerbInput<"mcp install">["client"];
export type McpScope = VerbInput<"mcp install">["scope"];

/** The places from which a client's files are found. */
export interface ClientPlaces {
  readonly cwd: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
}

/** What is written for a client: the command line, and variables that the server needs to find claw's files. */
export interface ServerLine {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface McpClient {
  readonly program: string;
  readonly format: "json" | "toml";
  /** The members from the top of the file down to the entry. */
  readonly place: readonly string[];
  /** Files that the client reads, the preferred first. The first that exists is edited; otherwise the last is made. */
  files(scope: McpScope, places: ClientPlaces): readonly string[];
  entry(line: ServerLine): EntryMembers;
  /** The command line of an entry; undefined when the entry has none, such as one that names an address. */
  argvOf(entry: EntryMembers): readonly string[] | undefined;
}

export const SERVER_NAME = "claws";

function homeOf({ HOME: home = "" }: Environment): string {
  if (isAbsolute(home)) return home;
  throw new ClawError("FILESYSTEM_ERROR", "HOME names no folder", {
    operation: "find_home",
    target: "HOME",
    hint: "Set HOME to your home folder.",
  });
}

/** The folder that a variable names, or a folder of the home folder. */
function namedOr(env: Environment, variable: string, ...inHome: string[]): string {
  const named = env[variable];
  return named !== undefined && isAbsolute(named) ? named : join(homeOf(env), ...inHome);
}

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** `command` holds the program, `args` the rest. */
function splitArgv({ command, args = [] }: EntryMembers): readonly string[] | undefined {
  return isText(command) && areTexts(args) ? [command, ...args] : undefined;
}

const hasVariables = ({ env }: ServerLine): boolean => Object.keys(env).length > 0;

const splitEntry = (line: ServerLine): EntryMembers => ({
  command: line.argv[0],
  args: line.argv.slice(1),
  ...(hasVariables(line) ? { env: line.env } : {}),
});

const typedEntry = (line: ServerLine): EntryMembers => ({ type: "stdio", ...splitEntry(line) });

/** How long Codex waits for the server to start. */
const CODEX_START_SECONDS = 60;

const SPLIT = { format: "json", argvOf: splitArgv } as const;

/** Where VS Code keeps the user's profile. */
function codeProfile({ env, platform }: ClientPlaces): string {
  if (platform === "darwin") return join(homeOf(env), "Library", "Application Support", "Code", "User");
  return join(namedOr(env, "XDG_CONFIG_HOME", ".config"), "Code", "User");
}

export const MCP_CLIENT_TABLE: Readonly<Record<McpClientName, McpClient>> = {
  claude: {
    ...SPLIT,
    program: "claude",
    place: ["mcpServers", SERVER_NAME],
    files: (scope, { cwd, env }) =>
      scope === "project" ? [join(cwd, ".mcp.json")] : [join(namedOr(env, "CLAUDE_CONFIG_DIR", "."), ".claude.json")],
    entry: typedEntry,
  },
  codex: {
    program: "codex",
    format: "toml",
    place: ["mcp_servers", SERVER_NAME],
    files: (scope, { cwd, env }) => [
      join(scope === "project" ? join(cwd, ".codex") : namedOr(env, "CODEX_HOME", ".codex"), "config.toml"),
    ],
    // Without the server's tools in its first turn, Codex goes on alone. Its own limit is too short for a busy machine.
    entry: (line) => ({ ...splitEntry(line), startup_timeout_sec: CODEX_START_SECONDS }),
    argvOf: splitArgv,
  },
  gemini: {
    ...SPLIT,
    program: "gemini",
    place: ["mcpServers", SERVER_NAME],
    files: (scope, { cwd, env }) => [
      join(scope === "project" ? cwd : namedOr(env, "GEMINI_CLI_HOME", "."), ".gemini", "settings.json"),
    ],
    entry: splitEntry,
  },
  opencode: {
    program: "opencode",
    format: "json",
    place: ["mcp", SERVER_NAME],
    files: (scope, { cwd, env }) => {
      const folder = scope === "project" ? cwd : join(namedOr(env, "XDG_CONFIG_HOME", ".config"), "opencode");
      return [join(folder, "opencode.jsonc"), join(folder, "opencode.json")];
    },
    entry: (line) => ({
      type: "local",
      command: line.argv,
      enabled: true,
      ...(hasVariables(line) ? { environment: line.env } : {}),
    }),
    argvOf: ({ command }) => (areTexts(command) && command.length > 0 ? command : undefined),
  },
  cursor: {
    ...SPLIT,
    program: "cursor",
    place: ["mcpServers", SERVER_NAME],
    files: (scope, { cwd, env }) => [join(scope === "project" ? cwd : homeOf(env), ".cursor", "mcp.json")],
    entry: typedEntry,
  },
  vscode: {
    ...SPLIT,
    program: "code",
    place: ["servers", SERVER_NAME],
    files: (scope, places) => [
      join(scope === "project" ? join(places.cwd, ".vscode") : codeProfile(places), "mcp.json"),
    ],
    entry: typedEntry,
  },
};
