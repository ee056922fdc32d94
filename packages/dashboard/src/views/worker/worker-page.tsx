import { useMemo } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import type { WorkerTab } from "../../app/route.ts";
import { viewHash, workerHash } from "../../app/route.ts";
import { Notice, OnlyNow } from "../../parts/notice.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import { AboutTab } from "./about-tab.tsx";
import { ChangesTab } from "./changes-tab.tsx";
import { ChecksTab } from "./checks-tab.tsx";
import { SendBox } from "./send-box.tsx";
import { TerminalTab } from "./terminal-tab.tsx";
import { TranscriptTab } from "./transcript-tab.tsx";
import { WorkerEvents } from "./worker-events.tsx";
import { WorkerHead } from "./worker-head.tsx";

const TITLES: Readonly<Record<WorkerTab, string>> = {
  transcript: "Transcript",
  changes: "Changes",
  checks: "Checks",
  events: "Events",
  terminal: "Terminal",
  about: "About",
};

const tabsOf = ({ terminal_id: terminal }: WorkerView): readonly WorkerTab[] => {
  const tabs: WorkerTab[] = ["transcript", "changes", "checks", "events", "about"];
  return terminal === null ? tabs : [...tabs.slice(0, 4), "terminal", "about"];
};

function Tabs({ worker, tab }: { readonly worker: WorkerView; readonly tab: WorkerTab }) {
  const counts: Partial<Record<WorkerTab, number>> = { changes: worker.changes?.files ?? 0, checks: worker.checks };
  return (
    <nav class="tabs" aria-label="Of this worker">
      {tabsOf(worker).map((each) => (
        <a key={each} href={workerHash(worker.peer_id, each)} aria-current={each === tab ? "page" : undefined}>
          {TITLES[each]}
          {(counts[each] ?? 0) > 0 && <span class="faint"> {counts[each]}</span>}
        </a>
      ))}
    </nav>
  );
}

function Shown({ worker, tab }: { readonly worker: WorkerView; readonly tab: WorkerTab }) {
  switch (tab) {
    case "transcript":
      return <TranscriptTab worker={worker} />;
    case "changes":
      return <ChangesTab worker={worker} />;
    case "checks":
      return <ChecksTab worker={worker} />;
    case "events":
      return <WorkerEvents peerId={worker.peer_id} />;
    case "terminal":
      return <TerminalTab worker={worker} />;
    case "about":
      return <AboutTab worker={worker} />;
  }
}

/** Parts of a worker that the log does not keep. They show the present, and say so. */
const NOT_IN_LOG: Readonly<Partial<Record<WorkerTab, string>>> = {
  transcript: "A transcript has no times: this is how it stands now.",
  changes: "The log keeps no changes: these are the changes of now.",
  terminal: "The log keeps no screens: this is the terminal of now.",
};

/** A worker: state, actions, and tabs about the work. */
export function WorkerPage({ peerId, tab }: { readonly peerId: string; readonly tab: WorkerTab }) {
  const { store } = usePage();
  const worker = store.moment.value?.workers.find(({ peer_id: id }) => id === peerId);
  const keys = useMemo(() => {
    const go = (to: WorkerTab) => () => void (location.hash = workerHash(peerId, to));
    return {
      t: go("transcript"),
      c: go("changes"),
      h: go("checks"),
      e: go("events"),
      m: () => document.querySelector<HTMLElement>(".send-box textarea")?.focus(),
      Escape: () => void (location.hash = viewHash("workers")),
    };
  }, [peerId]);
  useKeys(keys);
  if (worker === undefined) {
    return (
      <Notice title="There is no such worker at this moment">
        <p>
          It was removed, or it had not begun yet. <a href={viewHash("workers")}>All workers</a>
        </p>
      </Notice>
    );
  }
  return (
    <div class="view worker-page">
      <WorkerHead worker={worker} />
      <Tabs worker={worker} tab={tab} />
      {store.past.value !== null && NOT_IN_LOG[tab] !== undefined && <OnlyNow what={NOT_IN_LOG[tab]} />}
      <div class="tab-body">
        <Shown worker={worker} tab={tab} />
      </div>
      <SendBox worker={worker} />
    </div>
  );
}
