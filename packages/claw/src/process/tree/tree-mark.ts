import type { Environment } from "claw-contract";
import type { ProcessList } from "../system/process-list.ts";
import { processList } from "../system/process-list.ts";

/** Variable that lists the trees a process belongs to, outermost first, separated by spaces. */
export const TREE_VARIABLE = "CLAW_TREE";

/** The mark of one tree. `watchId` belongs to the process that started the tree and cannot be guessed. */
export const markOf = (watchId: string, treeId: number): string => `${watchId}.${treeId}`;

/** The environment for the first process of a tree. The trees of this process stay listed. */
export function markedEnvironment(env: Environment, mark: string): Environment {
  const outer = process.env[TREE_VARIABLE];
  return { ...env, [TREE_VARIABLE]: outer === undefined || outer === "" ? mark : `${outer} ${mark}` };
}

/** The environment for a process outside any tree: a service may outlive the program that starts it. */
export function unmarkedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [TREE_VARIABLE]: _trees, ...rest } = env;
  return rest;
}

/**
 * Whether a process was started with `NAME=value`. For the variable that lists trees, whether the list contains this
 * tree.
 */
export function isMarked(pid: number, entry: string, list: ProcessList = processList): boolean {
  const environment = list.environment(pid);
  const prefix = `${TREE_VARIABLE}=`;
  if (!entry.startsWith(prefix)) return environment.includes(`\0${entry}\0`);
  const [, trees = ""] = environment.split(`\0${prefix}`);
  return trees.slice(0, trees.indexOf("\0")).split(" ").includes(entry.slice(prefix.length));
}
