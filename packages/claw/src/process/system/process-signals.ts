/** Signals to processes and to their groups, as the system knows them. */
export interface ProcessSignals {
  /** Whether a process can lead a group, so that a signal reaches all processes of the group. */
  readonly hasGroups: boolean;
  /**
   * Sends a signal; 0 only looks. A negative target is a group. Returns whether the target exists. A target of another
   * user exists too, and gets no signal.
   */
  send(target: number, signal: NodeJS.Signals | 0): boolean;
  /** Ends this process by a signal. */
  sendSelf(signal: NodeJS.Signals): void;
  /** Stops this process and its group until a person continues them; without groups, goes on. */
  suspendGroup(): void;
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    // The process exists, but runs with another user's rights.
    if (code === "EPERM") return true;
    throw error;
  }
}

const sendSelf = (signal: NodeJS.Signals): void => void process.kill(process.pid, signal);

const withGroups: ProcessSignals = {
  hasGroups: true,
  send,
  sendSelf,
  suspendGroup: () => void process.kill(0, "SIGTSTP"),
};

/** Windows has no groups: a group of any number does not exist there. */
const withoutGroups: ProcessSignals = {
  hasGroups: false,
  send: (target, signal) => target > 0 && send(target, signal),
  sendSelf,
  suspendGroup: () => undefined,
};

export const processSignalsFor = (platform: NodeJS.Platform): ProcessSignals =>
  platform === "win32" ? withoutGroups : withGroups;

export const processSignals: ProcessSignals = processSignalsFor(process.platform);

/** Sends a signal to a process, or to a group as a negative number. Returns whether it exists. */
export const signalTo = (target: number, signal: NodeJS.Signals | 0): boolean => processSignals.send(target, signal);
