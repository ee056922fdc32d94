/** A tab that is hidden longer than this takes no events in: the log keeps them. */
export const HIDDEN_MS = 30_000;

/** Tells when the tab was hidden for too long, and when a person looks at it again after that. Returns the end of it. */
export function watchHidden({ left, back }: { readonly left: () => void; readonly back: () => void }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;
  const look = (): void => {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    if (document.visibilityState === "hidden") {
      timer = setTimeout(() => {
        isAway = true;
        left();
      }, HIDDEN_MS);
      return;
    }
    if (isAway) back();
    isAway = false;
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    if (timer !== undefined) clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
