/** Where the focus was in the content of the page. */
interface Place {
  readonly element: HTMLElement;
  readonly row: HTMLElement | null;
  /** Number of the row among the rows of the view. */
  readonly at: number;
  readonly view: Element | null;
}

const rowsIn = (main: HTMLElement): HTMLElement[] => [...main.querySelectorAll<HTMLElement>("[data-row]")];

function placeOf(main: HTMLElement, target: EventTarget | null): Place | null {
  if (!(target instanceof HTMLElement) || target === main || !main.contains(target)) return null;
  const row = target.closest<HTMLElement>("[data-row]");
  return { element: target, row, at: row === null ? -1 : rowsIn(main).indexOf(row), view: main.firstElementChild };
}

/** The element that gets the focus when the focused element is gone: its row, the next row, or the content of the view. */
function heirOf(main: HTMLElement, { row, at, view }: Place): HTMLElement {
  if (row?.isConnected === true) return row;
  if (view?.isConnected !== true || at === -1) return main;
  const rows = rowsIn(main);
  return rows[Math.min(at, rows.length - 1)] ?? main;
}

/** Esc leaves a field for its row or the content, so that the keys of the page work again. */
function leaveField(main: HTMLElement, event: KeyboardEvent): void {
  const { target, key, defaultPrevented } = event;
  if (key !== "Escape" || defaultPrevented || !(target instanceof HTMLElement) || !main.contains(target)) return;
  if (!target.matches("input, textarea, select") || target.closest(".terminal-box") !== null) return;
  event.preventDefault();
  (target.closest<HTMLElement>("[data-row]") ?? main).focus({ preventScroll: true });
}

/**
 * Keeps the focus in the content when the element that had it is taken away or switched off: a card that was answered, a row
 * that went on. Browsers give the focus to nothing then, and a person with a keyboard would begin at the top again.
 */
export function keepFocus(main: HTMLElement): void {
  const state = { place: null as Place | null, isPlanned: false };
  const look = (): void => {
    state.isPlanned = false;
    const { place } = state;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (place === null || !isLost || (place.element.isConnected && !place.element.matches(":disabled"))) return;
    heirOf(main, place).focus({ preventScroll: true });
  };
  document.addEventListener("focusin", ({ target }) => (state.place = placeOf(main, target)));
  document.addEventListener("keydown", (event) => leaveField(main, event));
  const observer = new MutationObserver(() => {
    if (state.place === null || state.isPlanned) return;
    state.isPlanned = true;
    requestAnimationFrame(look);
  });
  observer.observe(main, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}
