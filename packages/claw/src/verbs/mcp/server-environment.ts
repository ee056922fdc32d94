import type { Environment } from "claw-contract";
import { isSecretName, WORKER_VARIABLES } from "claw-contract";
import { processList } from "../../process/index.ts";
import { loadSettings } from "../../settings/index.ts";

/** How far up the tree of processes a worker's mark is looked for. */
const MAX_ANCESTORS = 12;

const MARKS: readonly string[] = Object.values(WORKER_VARIABLES);

/** The variables of a worker that a process was started with; undefined when it has no mark of a worker. */
function marksOf(pid: number): Environment | undefined {
  const pairs = processList.environment(pid).split("\0").filter(Boolean);
  const marks = Object.fromEntries(
    pairs.flatMap((pair) => {
      const at = pair.indexOf("=");
      const name = pair.slice(0, at);
      return MARKS.includes(name) ? [[name, pair.slice(at + 1)]] : [];
    }),
  );
  return marks[WORKER_VARIABLES.id] === undefined ? undefined : marks;
}

/**
 * The environment with the marks of the worker that this process runs in. Some agents start their servers with a clean
 * environment, so the processes above are asked too: a server never gets more rights because a mark was dropped.
 */
export function serverMarkEnvironment(env: Environment, pid: number): Environment {
  if (env[WORKER_VARIABLES.id] !== undefined) return env;
  let ancestor: number | undefined = pid;
  for (let steps = 0; steps < MAX_ANCESTORS && ancestor !== undefined && ancestor > 1; steps += 1) {
    const marks = marksOf(ancestor);
    if (marks !== undefined) return { ...env, ...marks };
    ancestor = processList.stat(ancestor)?.parent;
  }
  return env;
}

/** The environment without keys and other secrets. */
export const withoutSecrets = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretName(name)));

/** The environment for a daemon that an MCP server starts: without secrets, but for those that the settings name. */
export function daemonEnvironment(cwd: string, env: Environment): NodeJS.ProcessEnv {
  const named = loadSettings(cwd, env).merged.mcp?.passEnv ?? [];
  const passed = named.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...withoutSecrets(env), ...(Object.fromEntries(passed) as NodeJS.ProcessEnv) };
}
