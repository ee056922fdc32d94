import { endTree } from "./end-tree.ts";
import { markOf, TREE_VARIABLE } from "./process-tree.ts";

/** How long what was left behind may take to end when it is asked to, and how long is waited for what was killed. */
const ENDING = { politeMs: 500, firmMs: 5000 };

/** Ends a tree of a process that is gone, by what it told of it: `ID:PID:STARTED:COMMANDS_MS`. */
function endLeft(watchId: string, entry: string): Promise<boolean> {
  const [id, pid = 0, started = "", commandsMs = 0] = entry.split(":");
  const leader = Number(pid) > 0 ? { pid: Number(pid), started: started === "" ? null : started } : null;
  return endTree(
    { leader, mark: `${TREE_VARIABLE}=${markOf(watchId, Number(id))}` },
    { ...ENDING, commandsMs: Number(commandsMs) },
  );
}

const [watchId = "", ...left] = process.argv.slice(2);
void Promise.all(left.map((entry) => endLeft(watchId, entry)));
