import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { Notice, Shell } from "../../parts/notice.tsx";
import { inertLine } from "../../text/inert.ts";
import { useTerminal } from "./use-terminal.ts";

interface LiveTerminalProps {
  readonly terminalId: string;
  readonly name: string;
  /** Whether the agent has left its terminal. The last screen stays; no program reads keys. */
  readonly hasEnded: boolean;
}

const hintOf = (hasEnded: boolean, isTaken: boolean): string => {
  if (hasEnded) return "The agent has left its terminal. ";
  return isTaken ? "Your keys go to the agent. " : "It only shows. ";
};

/** The terminal of an agent, live. It only shows until a person takes it over; Shift+Tab leaves it. */
function LiveTerminal({ terminalId, name, hasEnded }: LiveTerminalProps) {
  const { store, said } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [wantsKeys, setWanted] = useState(false);
  const [problem, setProblem] = useState("");
  const label = `Terminal of ${inertLine(name, 60)}. Shift+Tab leaves it.`;
  const shown = useTerminal(terminalId, { box, label, leave: () => button.current?.focus(), failed: setProblem });
  const canType = store.canAct.value && !hasEnded;
  const isTaken = wantsKeys && canType;
  // Before the next key: a later effect would drop keys that are pressed as soon as the page says so.
  useLayoutEffect(() => shown.current?.takeOver(isTaken), [isTaken, shown]);
  const toggle = (): void => {
    setWanted(!isTaken);
    if (!isTaken) shown.current?.focus();
    said.value = isTaken ? "The terminal only shows." : "Your keys go to the agent. Shift+Tab leaves the terminal.";
  };
  return (
    <div class="terminal">
      <p class="toolbar">
        <button
          ref={button}
          type="button"
          class="button button-small"
          aria-pressed={isTaken}
          disabled={!canType}
          onClick={toggle}
        >
          {isTaken ? "Give back" : "Take over"}
        </button>
        <span class="faint">
          {hintOf(hasEnded, isTaken)}
          <kbd>Shift+Tab</kbd> leaves it.
        </span>
        {problem !== "" && <span class="why">{inertLine(problem, 200)}</span>}
      </p>
      <div class="terminal-box" ref={box} />
    </div>
  );
}

export function TerminalTab({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const { terminal_id: terminalId, name, ended: hasEnded } = worker;
  if (terminalId === null) return <Notice title="This worker has no terminal" />;
  if (store.session.value?.role === "observer") {
    return (
      <Notice title="An observer sees no terminals">
        <p>What people type there may be secret. Open the page with a session that may act:</p>
        <p>
          <Shell>claw dashboard --role orchestrator</Shell>
        </p>
      </Notice>
    );
  }
  return <LiveTerminal key={terminalId} terminalId={terminalId} name={name} hasEnded={hasEnded} />;
}
