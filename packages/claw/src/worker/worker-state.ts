import { join } from "node:path";
import { LIMITS, WORKER_FILES } from "@claw/contract";
import { nodeFileSystem, readSmallFile, writeFileAtomically } from "../files/index.ts";
import type { AgentSession } from "./interactive/agent-session.ts";
import { NEW_SESSION } from "./interactive/agent-session.ts";

/** What the next life of a worker has to know. */
export interface WorkerState {
  /** Conversation of its agent. */
  readonly sessionId: string | null;
  /** When a usage limit is over, in milliseconds since 1970; null when none is waited for. */
  readonly until: number | null;
  /** Pauses for usage limits in a row whose end nobody knew. */
  readonly pauses: number;
  /** Whether it reported its work, and was not told anything since. */
  readonly done: boolean;
  /** Terminal that its agent runs in. */
  readonly terminalId: string | null;
  /** Where the log stood before that terminal was there. */
  readonly since: string | null;
  /** What is known of the agent in it. */
  readonly session: AgentSession;
}

export interface StateFile {
  read(): WorkerState;
  /** Keeps what changed. A state that cannot be written is lost with the process, and reported. */
  keep(change: Partial<WorkerState>): void;
}

const NEW: WorkerState = {
  sessionId: null,
  until: null,
  pauses: 0,
  done: false,
  terminalId: null,
  since: null,
  session: NEW_SESSION,
};

function readState(path: string): WorkerState {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind !== "text") return NEW;
  try {
    return { ...NEW, ...(JSON.parse(file.text) as Partial<WorkerState>) };
  } catch {
    // Nothing that was lost with it is more than a hint.
    return NEW;
  }
}

export function openStateFile(folder: string, report: (problem: string) => void): StateFile {
  const path = join(folder, WORKER_FILES.state);
  let state = readState(path);
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
