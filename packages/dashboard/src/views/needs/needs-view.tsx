import { useRef, useState } from "preact/hooks";
import { needKey } from "../../app/attention.ts";
import { usePage } from "../../app/page.ts";
import { Notice } from "../../parts/notice.tsx";
import { StartWorker } from "../../parts/start-worker.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import type { Need } from "claw-contract";
import { ApprovalCard } from "./approval-card.tsx";
import { ReportCard } from "./report-card.tsx";
import { TroubleCard } from "./trouble-card.tsx";

/** Cards that are drawn; more are counted. */
const SHOWN_NEEDS = 50;

function Card({ need }: { readonly need: Need }) {
  const { store } = usePage();
  const approval = store.moment.value?.approvals.find(({ approvalId }) => approvalId === need.approvalId);
  if (approval !== undefined) return <ApprovalCard approval={approval} />;
  if (need.kind === "report" || need.kind === "failed_checks") return <ReportCard need={need} />;
  return <TroubleCard need={need} />;
}

/** Needs that were answered in this view stay until the person leaves the view, so that the person can watch the delivery. */
function useAnswered(needs: readonly Need[]): readonly Need[] {
  const seen = useRef(new Map<string, Need>());
  const { store } = usePage();
  for (const need of needs) seen.current.set(needKey(need), need);
  const open = new Set(needs.map(needKey));
  const closed = [...seen.current.values()].filter(
    (need) => !open.has(needKey(need)) && need.approvalId !== undefined && isKnown(need.approvalId),
  );
  function isKnown(id: string): boolean {
    return store.moment.value?.approvals.some(({ approvalId }) => approvalId === id) ?? false;
  }
  return closed;
}

/** Presses the button of the focused card, or of the first one. */
function press(action: "yes" | "no"): void {
  const cards = [...document.querySelectorAll<HTMLElement>("main .card[data-open]")];
  const card = cards.find((each) => each.contains(document.activeElement)) ?? cards[0];
  card?.focus();
  card?.querySelector<HTMLButtonElement>(`button[data-answer="${action}"]`)?.click();
}

export function NeedsView() {
  const { needs, store } = usePage();
  const hasWorkers = (store.moment.value?.workers.length ?? 0) > 0;
  const [keys] = useState(() => ({ y: () => press("yes"), n: () => press("no") }));
  useKeys(keys);
  const answered = useAnswered(needs.value);
  const open = needs.value.slice(0, SHOWN_NEEDS);
  const hidden = needs.value.length - open.length;
  return (
    <div class="view view-cards" tabIndex={0}>
      <h1>
        Needs you <span class="faint">{needs.value.length}</span>
      </h1>
      {open.length === 0 && (
        <Notice title="Nothing waits for you">
          <p>Questions, failed checks, alerts and reports to accept come here, most urgent first.</p>
          {!hasWorkers && <StartWorker />}
        </Notice>
      )}
      {open.map((need) => (
        <Card key={needKey(need)} need={need} />
      ))}
      {hidden > 0 && <p class="faint">{hidden} more follow once these are answered.</p>}
      {answered.length > 0 && <h2 class="group">Answered</h2>}
      {answered.map((need) => (
        <Card key={needKey(need)} need={need} />
      ))}
    </div>
  );
}
