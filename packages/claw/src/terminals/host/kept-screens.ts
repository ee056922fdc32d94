import type { TerminalScreen } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { ScreenEmulator } from "../screen/emulate-screen.ts";
import { createScreenEmulator } from "../screen/emulate-screen.ts";
import type { HostedTerminal } from "./hosted-terminal.ts";

/** Screens of terminals. A screen is created at the first request and kept as long as requests continue. */
export interface KeptScreens {
  look(terminal: HostedTerminal): Promise<TerminalScreen>;
  draw(terminal: HostedTerminal): Promise<{ readonly text: string; readonly screen: TerminalScreen }>;
}

interface Kept {
  readonly emulator: ScreenEmulator;
  timer: NodeJS.Timeout;
}

export function createKeptScreens(): KeptScreens {
  const kept = new Map<HostedTerminal, Kept>();
  const drop = (terminal: HostedTerminal): void => {
    kept.get(terminal)?.emulator.close();
    kept.delete(terminal);
  };
  const open = (terminal: HostedTerminal): ScreenEmulator => {
    const known = kept.get(terminal);
    clearTimeout(known?.timer);
    const timer = setTimeout(() => drop(terminal), LIMITS.screenIdleMs).unref();
    const emulator =
      known?.emulator ??
      createScreenEmulator({
        total: () => terminal.log.total(),
        read: (range) => terminal.log.read(range),
        sizes: () => terminal.about().sizes,
      });
    kept.set(terminal, { emulator, timer });
    return emulator;
  };
  return {
    look: (terminal) => open(terminal).look(),
    draw: (terminal) => open(terminal).draw(),
  };
}
