import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { identify } from "../process-identity.ts";
import type { ProcessTree } from "./process-tree.ts";
import { signalTree } from "./process-tree.ts";
import { markOf, TREE_VARIABLE } from "./tree-mark.ts";

/**
 * Waits at almost no cost for the end of the process it reads from, which tells it what is open: `+ ID LEADER` or
 * `- ID`. If something is, the program that ends trees takes its place. It hears no signal that is meant for that process.
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

/** Stands for a leader that is not started yet. */
const NO_LEADER = "0:";

/** The program that ends trees; built beside this one. */
function enderPath(): string {
  const dist =
    typeof __filename === "string" ? dirname(__filename) : fileURLToPath(new URL("../../../dist", import.meta.url));
  return join(dist, "end-trees.cjs");
}

/** A tree that this process must not leave behind, however it ends. */
export interface WatchedTree {
  /** What its first process is to be marked with. */
  readonly mark: string;
  /** Its first process was started; its commands may take so long to end before it is asked to. */
  began(pid: number, commandsMs?: number): ProcessTree;
  /** Nothing of it is left, or it never began. */
  over(): void;
}

/** Ends the trees of this process when it is killed and cannot do so itself. */
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
    // Told before there is a process: nothing is started that is not watched.
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

/** In a session of its own, which outlives the one this process may be killed with. */
function startWaiting(id: string): ChildProcess {
  const { PATH, [TREE_VARIABLE]: outer } = process.env;
  const env = { PATH, ...(outer === undefined ? {} : { [TREE_VARIABLE]: outer }) };
  const argv = ["-c", WAIT, "claw-watch", process.execPath, enderPath(), id];
  return spawn("/bin/sh", argv, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
}

/** The way to tell it something. It keeps nobody waiting, and its loss is no failure of what is watched. */
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

/** Most calls start nothing that has to be watched. */
const theWatch = once(() => new TreeWatch());

/** Announces a tree that is about to be started. The process that watches is started with the first. */
export const watchTree = (): WatchedTree => theWatch().open();
