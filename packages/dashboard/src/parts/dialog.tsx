import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog of the browser: it keeps the focus inside, and Esc closes it. */
export function Dialog({ title, close, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} class="dialog" aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={() => box.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
