import { useState } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { Refusal } from "../../parts/busy-button.tsx";
import { useAction } from "../../parts/use-action.ts";
import { inertLine } from "../../text/inert.ts";
import { CommandState } from "./command-state.tsx";

/** Whether these keys send: Ctrl+Enter or Cmd+Enter. */
export const isSending = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === "Enter" && (ctrlKey || metaKey);

/** A text for the worker, and how far it has come. Ctrl+Enter sends. */
export function SendBox({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const [text, setText] = useState("");
  const [sequence, setSequence] = useState<number | null>(null);
  const name = inertLine(worker.name, 60);
  const send = useAction(async () => {
    setSequence(await store.act.send(worker.peer_id, text));
    setText("");
  }, `Sent to ${name}`);
  if (worker.ended) return null;
  const isReady = store.canAct.value && text.trim() !== "" && !send.isBusy;
  const press = (event: KeyboardEvent): void => {
    if (isSending(event) && isReady) void send.run();
  };
  return (
    <div class="send-box">
      <textarea
        rows={2}
        aria-label={`Message to ${name}`}
        placeholder={`to ${name} (Ctrl+Enter sends)`}
        value={text}
        disabled={!store.canAct.value}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <button type="button" class="button button-main" disabled={!isReady} onClick={() => void send.run()}>
        Send
      </button>
      <Refusal why={send.refusal} />
      <CommandState sequence={sequence} />
    </div>
  );
}
