import { readProc } from "../read-proc.ts";

/** Variable that names the trees a process was started in, outermost first, with spaces between them. */
export const TREE_VARIABLE = "CLAW_TREE";

/** The mark of one tree of the process that started it; `watchId` is that process's own and cannot be guessed. */
export const markOf = (watchId: string, treeId: number): string => `${watchId}.${treeId}`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the first process of a tree. The trees that this process itself belongs to stay named. */
export function markedEnvironment(env: Environment, mark: string): Environment {
  const outer = process.env[TREE_VARIABLE];
  return { ...env, [TREE_VARIABLE]: outer === undefined || outer === "" ? mark : `${outer} ${mark}` };
}

/** The environment of a process that belongs to no tree: a service that outlives the program that started it. */
export function unmarkedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [TREE_VARIABLE]: _trees, ...rest } = env;
  return rest;
}

/** Whether a process was started with `NAME=value`; of the variable that names trees, with that tree among them. */
export function isMarked(pid: number, entry: string): boolean {
  const environment = `\0${readProc(`/proc/${pid}/environ`) ?? ""}\0`;
  const prefix = `${TREE_VARIABLE}=`;
  if (!entry.startsWith(prefix)) return environment.includes(`\0${entry}\0`);
  const [, trees = ""] = environment.split(`\0${prefix}`);
  return trees.slice(0, trees.indexOf("\0")).split(" ").includes(entry.slice(prefix.length));
}
