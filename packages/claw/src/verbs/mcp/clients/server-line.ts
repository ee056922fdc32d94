import { basename } from "node:path";
import type { Environment } from "claw-contract";
import { findProgram } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { McpScope, ServerLine } from "./mcp-clients.ts";

/** Folders of claw that some clients do not hand on to their servers. */
const HANDED_ON = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAW_CONFIG_HOME"];

const handedOn = (env: Environment): Record<string, string> =>
  Object.fromEntries(HANDED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

export interface ServerFlags {
  readonly tools: "default" | "all";
  readonly start: boolean;
}

const flagWords = ({ tools, start }: ServerFlags): string[] => [
  ...(tools === "all" ? ["--tools=all"] : []),
  ...(start ? ["--start"] : []),
];

/**
 * The command that starts the server. For the user, the program that runs now, by its path: a client of a desktop may
 * have another PATH. A file of a project is for other machines too, so it names `claw` alone.
 */
export function serverLine(
  scope: McpScope,
  flags: ServerFlags,
  { program, env }: Pick<Ports, "program" | "env">,
): ServerLine {
  const words = ["mcp", "serve", ...flagWords(flags)];
  return scope === "project"
    ? { argv: ["claw", ...words], env: {} }
    : { argv: [...program, ...words], env: handedOn(env) };
}

/** Whether a command line starts an MCP server of claw: this program, or another copy of claw. */
export function isClawServer(argv: readonly string[] | undefined): boolean {
  const at = argv?.findIndex((word, index) => word === "mcp" && argv[index + 1] === "serve") ?? -1;
  return at > 0 && /^claw(?:\.cjs|\.cmd)?$/.test(basename(argv?.[at - 1] ?? ""));
}

/** The flags of a command line of claw's server. */
export const serverFlagsOf = (argv: readonly string[]): ServerFlags => ({
  tools: argv.includes("--tools=all") || argv[argv.indexOf("--tools") + 1] === "all" ? "all" : "default",
  start: argv.includes("--start"),
});

/** Remarks about a command that will not be found. */
export function lineRemarks(scope: McpScope, { cwd, env, program }: Pick<Ports, "cwd" | "env" | "program">): string[] {
  if (scope === "project") {
    const isFound = findProgram("claw", { path: env["PATH"], cwd }).kind === "found";
    return isFound ? [] : ["claw is not on the PATH: the entry works where claw is on the PATH."];
  }
  const isTemporary = program.some((word) => word.includes("/_npx/"));
  return isTemporary ? ["This claw was fetched by npx and may be removed: install claw, then call again."] : [];
}
