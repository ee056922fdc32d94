import type { ForegroundProgram } from "claw-contract";
import { LIMITS } from "claw-contract";
import { findForeground } from "./foreground.ts";

/** Notices which program a terminal belongs to, soon after something happened in it. */
export interface ForegroundWatch {
  /** Something happened: looks once when it has settled, and not too often. */
  touch(): void;
  stop(): void;
}

export function createForegroundWatch(
  pid: () => number | undefined,
  changed: (foreground: ForegroundProgram) => void,
): ForegroundWatch {
  let timer: NodeJS.Timeout | undefined;
  let known = "";
  let stopped = false;
  const look = async (): Promise<void> => {
    const shell = pid();
    timer = undefined;
    if (shell === undefined || stopped) return;
    const found = await findForeground(shell);
    const now = JSON.stringify(found);
    if (stopped || now === known) return;
    known = now;
    changed(found);
  };
  return {
    touch: () => {
      timer ??= setTimeout(() => void look(), LIMITS.foregroundMs);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
