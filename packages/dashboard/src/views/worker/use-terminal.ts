import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";
import { usePage } from "../../app/page.ts";
import { followOutput } from "../../terminal/follow-output.ts";
import { isDark } from "../../parts/colour.ts";
import type { ShownTerminal } from "../../terminal/open-terminal.ts";

interface TerminalTarget {
  readonly box: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly leave: () => void;
  readonly failed: (why: string) => void;
}

/** Opens the terminal in its box while the component is shown. The emulator is loaded here, and nowhere before. */
export function useTerminal(terminalId: string, target: TerminalTarget): RefObject<ShownTerminal | null> {
  const { store } = usePage();
  const shown = useRef<ShownTerminal>(null);
  useEffect(() => {
    const state = { isGone: false, stop: (): void => undefined };
    const { label, leave, failed } = target;
    const typed = (text: string): void => {
      if (!store.canAct.peek()) return;
      store
        .client()
        ?.request("send", { terminalId, text, newline: false })
        .catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)));
    };
    const open = async (): Promise<void> => {
      const { openTerminal } = await import("../../terminal/open-terminal.ts");
      const box = target.box.current;
      if (state.isGone || box === null) return;
      const opened = openTerminal({ box, label, isDark: isDark(), typed, leave });
      shown.current = opened;
      const stop = followOutput(store.client, terminalId, { sized: opened.resize, wrote: opened.write, failed });
      state.stop = () => {
        stop();
        opened.close();
      };
    };
    void open();
    return () => {
      state.isGone = true;
      state.stop();
      shown.current = null;
    };
  }, [terminalId, store]);
  return shown;
}
