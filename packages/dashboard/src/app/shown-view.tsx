import { Notice, Shell } from "../parts/notice.tsx";
import { EventsView } from "../views/events/events-view.tsx";
import { NeedsView } from "../views/needs/needs-view.tsx";
import { WorkerPage } from "../views/worker/worker-page.tsx";
import { WorkersView } from "../views/workers/workers-view.tsx";
import { usePage } from "./page.ts";

/** The view of the address, or why there is nothing to show. */
export function ShownView() {
  const { store, route } = usePage();
  const link = store.link.value;
  if (link.kind === "refused") {
    return (
      <Notice title="This browser may not look in here" tone="bad">
        <p>The session has ended, was revoked, or never began. In a terminal in the folder of the workspace:</p>
        <p>
          <Shell>claw dashboard</Shell>
        </p>
        <p>It opens this page with a new session.</p>
      </Notice>
    );
  }
  if (store.moment.value === null) {
    return (
      <Notice title={store.momentError.value === null ? "Reading the fleet…" : "The fleet cannot be read"}>
        <p>{store.momentError.value ?? "If this lasts, look whether the daemon runs: claw status"}</p>
      </Notice>
    );
  }
  const shown = route.value;
  switch (shown.view) {
    case "workers":
      return <WorkersView />;
    case "needs":
      return <NeedsView />;
    case "worker":
      return <WorkerPage key={shown.peerId} peerId={shown.peerId} tab={shown.tab} />;
    case "events":
      return <EventsView query={shown.query} />;
  }
}
