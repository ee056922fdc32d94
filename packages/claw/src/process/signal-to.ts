/** Sends a signal and says whether there was somebody to take it. */
export function signalTo(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    // Somebody is there who took another user's rights.
    if (code === "EPERM") return true;
    throw error;
  }
}
