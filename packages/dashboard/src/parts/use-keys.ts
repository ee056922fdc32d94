import { useLayoutEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Whether a key typed here belongs to a field, a terminal or a dialog, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input:not([type=range]), textarea, select, .terminal-box, dialog") !== null
  );
}

/** Keys of the page while a component is shown. A key with Ctrl, Alt or Meta stays with the browser. */
export function useKeys(keys: Keys): void {
  // A key that is pressed right after the page has changed acts on what the page shows.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping(event.target)) return;
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [keys]);
}
