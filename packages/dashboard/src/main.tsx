import { computed } from "@preact/signals";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { watchAttention } from "./app/attention.ts";
import { keepFocus } from "./app/keep-focus.ts";
import { PageProvider } from "./app/page.ts";
import type { Page } from "./app/page.ts";
import { watchRoute } from "./app/route.ts";
import { createSettings } from "./app/settings.ts";
import { signal } from "@preact/signals";
import { needsOf } from "claw-contract/client";
import { createStore } from "./store/store.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/views/workers.css";
import "./styles/views/needs.css";
import "./styles/views/events.css";
import "./styles/views/worker.css";
import "./styles/views/timeline.css";
import "./styles/views/cost.css";

const store = createStore(document.baseURI);
const page: Page = {
  store,
  route: watchRoute(),
  needs: computed(() => (store.moment.value === null ? [] : needsOf(store.moment.value))),
  settings: createSettings(),
  said: signal(""),
};
watchAttention(page);

function draw(): void {
  const place = document.getElementById("app") ?? document.body;
  // Until now the page shows the words of index.html.
  place.replaceChildren();
  render(
    <PageProvider value={page}>
      <App />
    </PageProvider>,
    place,
  );
  keepFocus(document.getElementById("main") ?? document.body);
}

/** The browser shows the file's own words first, while the page connects. A hidden tab has no frames to wait for. */
if (document.visibilityState === "hidden") draw();
else requestAnimationFrame(() => setTimeout(draw));
