import { Shell } from "../parts/notice.tsx";
import { spanText } from "../text/amounts.ts";
import { usePage } from "./page.ts";

/** What a person should know of the connection; nothing while all is well. */
export function LinkBanner() {
  const { store } = usePage();
  const link = store.link.value;
  if (link.kind === "away") {
    return (
      <p class="banner banner-bad">
        {/* Apart from the time, which would be read out every second. */}
        <span role="alert">The daemon does not answer</span> ({spanText(store.now.value - link.since)}). What you see is
        from before; the page connects again by itself. Start it with <Shell>claw up</Shell>
      </p>
    );
  }
  if (store.isOutdated.value) {
    return (
      <p class="banner">
        The daemon is a newer version than this page.{" "}
        <button type="button" class="link" onClick={() => location.reload()}>
          Load the page anew
        </button>
      </p>
    );
  }
  if (store.session.value?.role === "observer") {
    return (
      <p class="banner">You may watch. To answer and to send, open the page with claw dashboard --role orchestrator.</p>
    );
  }
  return null;
}
