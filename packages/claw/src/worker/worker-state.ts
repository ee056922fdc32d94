import { join } from "node:path";
import { LIMITS, WORKER_FILES } from "claw-contract";
import { nodeFileSystem, readJsonFile, writeFileAtomically } from "../files/index.ts";
import type { AgentSession } from "./interactive/agent-session.ts";
import { NEW_SESSION } from "./interactive/agent-session.ts";

/** State that the next life of a worker needs. */
export interface CarriedState {
  /** Session id of the worker's agent. */
  readonly sessionId: string | null;
  /** End of a usage limit, in milliseconds since 1970; null without a pending limit. */
  readonly until: number | null;
  /** Number of guessed pauses for usage limits in a row. */
  readonly pauses: number;
  /** Whether the worker has reported its result, and has received no further text since. */
  readonly done: boolean;
  /** Terminal of the worker's agent. */
  readonly terminalId: string | null;
  /** Cursor of the log before the terminal was opened. */
  readonly since: string | null;
  /** State of the agent in the terminal. */
  readonly session: AgentSession;
}

export interface StateFile {
  read(): CarriedState;
  /** Stores a change. A state that cannot be written is reported, and lost with the process. */
  keep(change: Partial<CarriedState>): void;
}

const NEW: CarriedState = {
  sessionId: null,
  until: null,
  pauses: 0,
  done: false,
  terminalId: null,
  since: null,
  session: NEW_SESSION,
};

export function openStateFile(folder: string, report: (problem: string) => void): StateFile {
  const path = join(folder, WORKER_FILES.state);
  // The state is only a hint, so an unreadable file does no harm.
  let state: CarriedState = { ...NEW, ...readJsonFile<CarriedState>(path, LIMITS.settingsBytes) };
  return {
    read: () => state,
    keep: (change) => {
      const next = { ...state, ...change };
      const isSame = JSON.stringify(next) === JSON.stringify(state);
      state = next;
      if (isSame) return;
      try {
        writeFileAtomically(nodeFileSystem, path, `${JSON.stringify(state)}\n`);
      } catch (error) {
        report(`${path} could not be written: ${String(error)}`);
      }
    },
  };
}
