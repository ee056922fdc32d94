import { useEffect } from "preact/hooks";
import { dayTimeText } from "../text/amounts.ts";
import { inertLine } from "../text/inert.ts";
import { usePage } from "./page.ts";
import type { ViewName } from "./route.ts";
import { VIEWS, viewHash } from "./route.ts";
import { THEMES } from "./settings.ts";

const TITLES: Readonly<Record<ViewName, string>> = {
  workers: "Workers",
  needs: "Needs you",
  events: "Events",
  timeline: "Timeline",
  cost: "Cost",
};

const LINK_WORDS = { connecting: "connecting", open: "live", away: "disconnected", refused: "signed out" } as const;

function Views() {
  const { route, needs, store } = usePage();
  const shown = route.value.view === "worker" ? "workers" : route.value.view;
  const running = store.moment.value?.workers.filter(({ ended }) => !ended).length ?? 0;
  const count: Partial<Record<ViewName, number>> = { workers: running, needs: needs.value.length };
  return (
    <nav aria-label="Views">
      {VIEWS.map((view) => (
        <a key={view} href={viewHash(view)} aria-current={view === shown ? "page" : undefined}>
          <span>{TITLES[view]}</span>
          {(count[view] ?? 0) > 0 && <span class={`count ${view === "needs" ? "count-asks" : ""}`}>{count[view]}</span>}
        </a>
      ))}
    </nav>
  );
}

function Choices({ openHelp }: { readonly openHelp: () => void }) {
  const { settings, store } = usePage();
  const { theme, notifies } = settings;
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
  const toggle = async (): Promise<void> => {
    const allowed = notifies.value ? "denied" : await Notification.requestPermission();
    notifies.value = allowed === "granted";
  };
  return (
    <div class="choices">
      <button type="button" class="plain" onClick={() => (theme.value = next)} aria-label={`Colours: ${theme.value}`}>
        {theme.value === "dark" ? "☾" : theme.value === "light" ? "☀" : "◐"} <span>{theme.value}</span>
      </button>
      {"Notification" in globalThis && (
        <button
          type="button"
          class="plain"
          aria-pressed={notifies.value}
          aria-label="Notify me"
          onClick={() => void toggle()}
        >
          {notifies.value ? "notifies" : "notify me"}
        </button>
      )}
      <button type="button" class="plain" onClick={openHelp} aria-label="Show the keys">
        <kbd>?</kbd> <span>keys</span>
      </button>
      <button type="button" class="plain" aria-label="Sign out" onClick={() => void store.signOut()}>
        sign out
      </button>
    </div>
  );
}

export function SideBar({ openHelp }: { readonly openHelp: () => void }) {
  const { store } = usePage();
  const link = store.link.value.kind;
  const workspace = store.session.value?.workspace ?? "";
  return (
    <header class="side">
      <div class="brand">
        <strong>claw</strong>
        <span class="workspace" title={inertLine(workspace)}>
          {inertLine(workspace.split("/").at(-1) ?? "", 40)}
        </span>
        <span class={`dot dot-${link}`} role="status" aria-label={`Connection: ${LINK_WORDS[link]}`}>
          {LINK_WORDS[link]}
        </span>
      </div>
      <Views />
      <Choices openHelp={openHelp} />
    </header>
  );
}

/** Shown while the page shows a moment of the past. */
export function PastBar() {
  const { store, said } = usePage();
  const { past, moment, momentError, progress } = store;
  useEffect(() => {
    said.value = past.value === null ? "" : "The page shows the past. Press l for live.";
  }, [past.value, said]);
  if (past.value === null) return null;
  const at = Date.parse(moment.value?.ts ?? "");
  return (
    <div class="banner banner-past" role="group" aria-label="Moment shown">
      <span>
        {progress.value !== null && `Reading the log, ${Math.round(progress.value * 100)} %. `}
        {momentError.value ?? (
          <>The page shows {Number.isNaN(at) ? "…" : dayTimeText(at)}. Nothing can be changed there.</>
        )}
      </span>
      <button type="button" class="button" onClick={() => (past.value = null)} aria-keyshortcuts="l">
        Forward to live
      </button>
    </div>
  );
}
