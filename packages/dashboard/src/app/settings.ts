import { effect, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Settings that a person chose in the page, stored by the browser. */
export interface Settings {
  readonly theme: Signal<Theme>;
  readonly notifies: Signal<boolean>;
}

const NAMES = { theme: "claw.theme", notifies: "claw.notifies" } as const;

/** Browsers may forbid storage; the choice then lasts as long as the page. */
function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
}

export function createSettings(): Settings {
  const theme = signal<Theme>(THEMES.find((each) => each === stored(NAMES.theme)) ?? "system");
  const notifies = signal(stored(NAMES.notifies) === "yes");
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    store(NAMES.theme, theme.value);
  });
  effect(() => store(NAMES.notifies, notifies.value ? "yes" : "no"));
  return { theme, notifies };
}
