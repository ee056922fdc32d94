import type { EndingTimes } from "./end-tree.ts";
import { endTree } from "./end-tree.ts";
import type { ProcessTree } from "./process-tree.ts";
import { signalTree } from "./process-tree.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends a process with all its descendants. Resolves with whether any of them ran. A signal to this process meanwhile
 * means that a person will not wait: the remaining processes are killed, and the signal takes its normal effect. The
 * remaining processes are also killed when this process exits meanwhile.
 */
export async function endGuarded(tree: ProcessTree, times: EndingTimes): Promise<boolean> {
  const kill = (): void => void signalTree(tree, "SIGKILL");
  const forget = (): void => {
    process.off("exit", kill);
    for (const name of SIGNALS) process.off(name, hurry);
  };
  const hurry = (signal: NodeJS.Signals): void => {
    kill();
    forget();
    process.kill(process.pid, signal);
  };
  process.once("exit", kill);
  for (const name of SIGNALS) process.on(name, hurry);
  try {
    return await endTree(tree, times);
  } finally {
    forget();
  }
}
