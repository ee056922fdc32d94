import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";

export const VIEWS = ["workers", "needs", "events"] as const;
export type ViewName = (typeof VIEWS)[number];

export const WORKER_TABS = ["transcript", "changes", "checks", "events", "terminal", "about"] as const;
export type WorkerTab = (typeof WORKER_TABS)[number];

/** What the address says: a view, or one worker, with the view's own words behind `?`. */
export type Route =
  | { readonly view: ViewName; readonly query: Readonly<Record<string, string>> }
  | {
      readonly view: "worker";
      readonly peerId: string;
      readonly tab: WorkerTab;
      readonly query: Readonly<Record<string, string>>;
    };

const START: Route = { view: "workers", query: {} };

/** Reads the part of the address behind `#`. Anything unknown leads to the workers. */
export function readRoute(hash: string): Route {
  const [path = "", words = ""] = hash.replace(/^#\/?/, "").split("?");
  const query = Object.fromEntries(new URLSearchParams(words));
  const [first = "", second = "", third = ""] = path.split("/");
  if (first === "worker" && second !== "") {
    const tab = WORKER_TABS.find((each) => each === third) ?? "transcript";
    return { view: "worker", peerId: decodeOr(second), tab, query };
  }
  const view = VIEWS.find((each) => each === first);
  return view === undefined ? START : { view, query };
}

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const queryText = (query: Readonly<Record<string, string>>): string => {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return words === "" ? "" : `?${words}`;
};

export function routeHash(route: Route): string {
  const path = route.view === "worker" ? `worker/${encodeURIComponent(route.peerId)}/${route.tab}` : route.view;
  return `#/${path}${queryText(route.query)}`;
}

export const viewHash = (view: ViewName, query: Readonly<Record<string, string>> = {}): string =>
  routeHash({ view, query });

export const workerHash = (peerId: string, tab: WorkerTab = "transcript"): string =>
  routeHash({ view: "worker", peerId, tab, query: {} });

/** The route as a signal. `?event=CURSOR` of a shared link becomes the event in the list of events. */
export function watchRoute(): Signal<Route> {
  const shared = new URLSearchParams(location.search).get("event");
  if (shared !== null) history.replaceState(null, "", `${location.pathname}${viewHash("events", { event: shared })}`);
  const route = signal(readRoute(location.hash));
  addEventListener("hashchange", () => (route.value = readRoute(location.hash)));
  return route;
}
