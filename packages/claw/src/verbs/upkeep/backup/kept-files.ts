/**
 * Files of a workspace that a backup leaves out. Locks, sockets and records name processes that run now. Secrets stay in
 * the private folder of the user; those that older versions kept in `.claws` no longer count. Worktrees are git's.
 */
const LEFT_OUT: readonly RegExp[] = [
  /\.lock(\/|$)/,
  /\.tmp$/,
  /\.start$/,
  /\.sock$/,
  /^\.claw\/idempotency\//,
  /^\.claws\/worktrees\//,
  /^\.claws\/(daemon|terminals)\.(json|log(\.\d)?)$/,
  /^\.claws\/(auth\.token|token\.secret|token\.used|orchestrator\.token|terminals\.token)$/,
  /^\.claws\/log\/.*\.index$/,
  /^\.claws\/workers\/[^/]+\/process\.json$/,
];

/** Whether a backup holds the file with this path, relative to the workspace. */
export const isKept = (path: string): boolean => !LEFT_OUT.some((pattern) => pattern.test(path));

const LOG = /^\.claws\/log\/\d+\.jsonl$/;
const COUNTERS = ".claws/counters.json";

/**
 * The order of files in a backup. A running daemon writes the log before it changes what follows from the log, so the
 * log comes after what may not be ahead of it; numbers that were given out come last.
 */
export function orderFiles(paths: readonly string[]): { before: string[]; log: string[]; after: string[] } {
  const isLog = (path: string): boolean => LOG.test(path);
  return {
    before: paths.filter((path) => !isLog(path) && path !== COUNTERS),
    log: paths.filter(isLog).toSorted(),
    after: paths.filter((path) => path === COUNTERS),
  };
}
