import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Store } from "../store/store.ts";
import type { Need } from "claw-contract";
import type { Route } from "./route.ts";
import type { Settings } from "./settings.ts";

/** What every component may use. */
export interface Page {
  readonly store: Store;
  readonly route: ReadonlySignal<Route>;
  readonly needs: ReadonlySignal<readonly Need[]>;
  readonly settings: Settings;
  /** A sentence for the live region: results of actions, not the stream of events. */
  readonly said: Signal<string>;
}

const PageContext = createContext<Page | null>(null);

export const PageProvider = PageContext.Provider;

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a component stands outside of the page");
  return page;
}
