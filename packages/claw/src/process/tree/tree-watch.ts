import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { identify } from "../process-identity.ts";
import { systemShell } from "../system/system-shell.ts";
import type { ProcessTree } from "./process-tree.ts";
import { signalTree } from "./process-tree.ts";
import { markOf, TREE_VARIABLE } from "./process-tree.ts";

/**
 * A shell that waits at almost no cost for the end of the process at the other end of its stdin. That process reports
 * its open trees: `+ ID LEADER` or `- ID`. If trees are still open at the end, the shell executes the program that ends
 * trees. The shell ignores signals meant for that process.
 */
const WAIT = `
trap '' HUP INT TERM
open=
while read -r sign id leader; do
  rest=
  for each in $open; do [ "\${each%%:*}" = "$id" ] || rest="$rest $each"; done
  [ "$sign" = - ] || rest="$rest $id:$leader"
  open=$rest
done
[ -z "$open" ] || exec "$@" $open
`;

/** Stands for a leader that is not yet started. */
const NO_LEADER = "0:";

/** Path of the program that ends trees, built into the same folder. */
function enderPath(): string {
  const dist =
    typeof __filename === "string" ? dirname(__filename) : fileURLToPath(new URL("../../../dist", import.meta.url));
  return join(dist, "end-trees.cjs");
}

/** A tree that must end together with this process, however the process ends. */
export interface WatchedTree {
  /** The mark for the first process of the tree. */
  readonly mark: string;
  /**
   * The tree's first process was started. Its commands get `commandsMs` to end before the first process is asked to
   * end.
   */
  began(pid: number, commandsMs?: number): ProcessTree;
  /** The tree has no running processes left, or was never started. */
  over(): void;
}

/** Ends the open trees when this process exits; a watching shell ends them when this process is killed. */
class TreeWatch {
  readonly #id = crypto.randomUUID();
  readonly #open = new Map<number, ProcessTree>();
  readonly #pipe: Socket | null;
  #last = 0;

  constructor() {
    this.#pipe = pipeOf(startWaiting(this.#id));
    process.once("exit", () => {
      for (const tree of this.#open.values()) signalTree(tree, "SIGKILL");
    });
  }

  open(): WatchedTree {
    const id = (this.#last += 1);
    const mark = markOf(this.#id, id);
    // Reported before the process exists: no tree starts unwatched.
    this.#tell(`+ ${id} ${NO_LEADER}`);
    return {
      mark,
      began: (pid, commandsMs = 0) => {
        const leader = identify(pid);
        const tree = { leader, mark: `${TREE_VARIABLE}=${mark}` };
        this.#open.set(id, tree);
        this.#tell(`+ ${id} ${pid}:${leader.started ?? ""}:${commandsMs}`);
        return tree;
      },
      over: () => {
        this.#open.delete(id);
        this.#tell(`- ${id}`);
      },
    };
  }

  #tell(line: string): void {
    if (this.#pipe?.writable === true) this.#pipe.write(`${line}\n`);
  }
}

/** Starts the shell in a new session, to survive when the session of this process is killed. */
function startWaiting(id: string): ChildProcess {
  const { PATH, [TREE_VARIABLE]: outer } = process.env;
  const env = { PATH, ...(outer === undefined ? {} : { [TREE_VARIABLE]: outer }) };
  const [shell, ...args] = systemShell.run(WAIT, "claw-watch", process.execPath, enderPath(), id);
  return spawn(shell, args, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
}

/** The pipe to the watching shell. The pipe does not keep this process alive; losing the shell is no failure. */
function pipeOf(child: ChildProcess): Socket | null {
  child.on("error", () => undefined);
  child.unref();
  const pipe = child.stdin as Socket | null;
  pipe?.on("error", () => pipe.destroy());
  pipe?.unref();
  return pipe;
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** Created on first use, because most calls start no tree. */
const theWatch = once(() => new TreeWatch());

/** Announces a tree that is about to be started. The first call starts the watching shell. */
export const watchTree = (): WatchedTree => theWatch().open();
