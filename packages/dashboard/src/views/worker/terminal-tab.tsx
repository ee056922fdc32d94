import { useRef, useState } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { Notice } from "../../parts/notice.tsx";
import { inertLine } from "../../text/inert.ts";
import { useTerminal } from "./use-terminal.ts";

/** The terminal of an agent, live. It only shows until a person takes it over; Shift+Tab leaves it. */
function LiveTerminal({ terminalId, name }: { readonly terminalId: string; readonly name: string }) {
  const { store, said } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isTaken, setTaken] = useState(false);
  const [problem, setProblem] = useState("");
  const label = `Terminal of ${inertLine(name, 60)}. Shift+Tab leaves it.`;
  const shown = useTerminal(terminalId, { box, label, leave: () => button.current?.focus(), failed: setProblem });
  const toggle = (): void => {
    setTaken(!isTaken);
    shown.current?.takeOver(!isTaken);
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
          disabled={!store.canAct.value}
          onClick={toggle}
        >
          {isTaken ? "Give back" : "Take over"}
        </button>
        <span class="faint">
          {isTaken ? "Your keys go to the agent. " : "It only shows. "}
          <kbd>Shift+Tab</kbd> leaves it.
        </span>
        {problem !== "" && <span class="why">{inertLine(problem, 200)}</span>}
      </p>
      <div class="terminal-box" ref={box} />
    </div>
  );
}

export function TerminalTab({ worker }: { readonly worker: WorkerView }) {
  const { terminal_id: terminalId, name } = worker;
  if (terminalId === null) return <Notice title="This worker has no terminal" />;
  return <LiveTerminal key={terminalId} terminalId={terminalId} name={name} />;
}
