import { onAbort } from "claw-contract";
import type { ProcessTree } from "../../process/index.ts";
import { processList, signalTree } from "../../process/index.ts";

/** Pauses and resumes the worker's agent, across all its runs. */
export interface AgentControl {
  /** A run of the agent has begun. */
  began(tree: ProcessTree): void;
  ended(): void;
  isPaused(): boolean;
  /**
   * Stops the agent and all processes it started. Resolves with the agent's pid once the agent has stopped; null when
   * no agent runs or it did not stop in time.
   */
  pause(): Promise<number | null>;
  /** Continues the agent. Resolves as `pause` does. */
  resume(): Promise<number | null>;
  /** Resolves when the agent is not paused, or the signal is aborted. */
  whenGoing(signal: AbortSignal): Promise<void>;
}

const POLL_MS = 10;
const STOPPED: ReadonlySet<string> = new Set(["T", "t"]);
/** How long a process may take to stop. A process that waits for a disk stops late. */
const STAND_STILL_MS = 5000;

const isStopped = (pid: number): boolean => STOPPED.has(processList.stat(pid)?.state ?? "");

/**
 * Resolves with whether the process reached the wanted state in time. Without /proc the state is unknown and true is
 * returned.
 */
async function becomes(pid: number, stopped: boolean): Promise<boolean> {
  const deadline = performance.now() + STAND_STILL_MS;
  while (processList.stat(pid) !== undefined && isStopped(pid) !== stopped) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

export function createAgentControl(): AgentControl {
  let running: ProcessTree | null = null;
  let paused = false;
  let waiting: (() => void)[] = [];
  const send = async (signal: "SIGSTOP" | "SIGCONT"): Promise<number | null> => {
    const agent = running?.leader?.pid ?? null;
    if (running === null || agent === null) return null;
    signalTree(running, signal);
    return (await becomes(agent, signal === "SIGSTOP")) ? agent : null;
  };
  return {
    began: (tree) => {
      running = tree;
      if (paused) void send("SIGSTOP");
    },
    ended: () => {
      running = null;
    },
    isPaused: () => paused,
    pause: () => {
      paused = true;
      return send("SIGSTOP");
    },
    resume: () => {
      paused = false;
      for (const go of waiting.splice(0)) go();
      return send("SIGCONT");
    },
    whenGoing: (signal) => {
      if (!paused || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const forget = onAbort(signal, resolve);
        const go = (): void => {
          forget();
          resolve();
        };
        waiting = [...waiting, go];
      });
    },
  };
}
