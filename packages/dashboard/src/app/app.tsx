import { useState } from "preact/hooks";
import { useKeys } from "../parts/use-keys.ts";
import { KeyHelp } from "./key-help.tsx";
import { LinkBanner } from "./link-banner.tsx";
import { usePage } from "./page.ts";
import { VIEWS, viewHash } from "./route.ts";
import { PastBar, SideBar } from "./shell.tsx";
import { ShownView } from "./shown-view.tsx";

/** Moves the focus among the rows of the view. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function App() {
  const { store, said } = usePage();
  const [isHelping, setHelping] = useState(false);
  const go = (index: number) => () => {
    const view = VIEWS[index];
    if (view !== undefined) location.hash = viewHash(view);
  };
  useKeys({
    "?": () => setHelping(true),
    j: () => step(1),
    k: () => step(-1),
    l: () => (store.past.value = null),
    "1": go(0),
    "2": go(1),
    "3": go(2),
    "4": go(3),
    "5": go(4),
    "/": () => document.querySelector<HTMLElement>("main [data-search]")?.focus(),
  });
  return (
    <div class={`app ${store.past.value === null ? "" : "is-past"}`}>
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to the content
      </a>
      <SideBar openHelp={() => setHelping(true)} />
      <div class="stage">
        <LinkBanner />
        <PastBar />
        <main id="main" tabIndex={-1}>
          <ShownView />
        </main>
      </div>
      <p class="unseen" role="status" aria-live="polite">
        {said.value}
      </p>
      {isHelping && <KeyHelp close={() => setHelping(false)} />}
    </div>
  );
}

/** The address keeps the view, so the link only moves the focus. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
