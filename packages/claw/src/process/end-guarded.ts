import type { EndingTimes } from "./process-group.ts";
import { endGroup, processGroup } from "./process-group.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends a process with everything it started. A signal to this process meanwhile is a person who will not wait: what
 * is left is killed, and the signal does what it would have done. So is it when this process exits meanwhile.
 */
export async function endGuarded(leader: number, times: EndingTimes): Promise<void> {
  const group = processGroup(leader);
  const kill = (): void => group.send("SIGKILL");
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
    await endGroup(group, times);
  } finally {
    forget();
  }
}
