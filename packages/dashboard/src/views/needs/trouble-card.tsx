import { usePage } from "../../app/page.ts";
import { workerHash } from "../../app/route.ts";
import { Shell } from "../../parts/notice.tsx";
import type { Need } from "claw-contract";
import { inert } from "../../text/inert.ts";
import { CardHead } from "./card-head.tsx";

/** A worker in trouble, or a budget that is spent: what is wrong, and the commands that help. */
export function TroubleCard({ need }: { readonly need: Need }) {
  const { store } = usePage();
  const { peerId, name, text, since, kind, deadline } = need;
  const hasEnded = store.moment.value?.workers.find(({ peer_id: id }) => id === peerId)?.ended === true;
  return (
    <article class="card" tabIndex={0} data-row>
      <CardHead
        kind={kind === "budget" ? "budget" : "alert"}
        tone="bad"
        name={name}
        peerId={peerId}
        since={since}
        deadline={deadline}
      />
      <h2 class="ask">{inert(text)}</h2>
      {peerId !== null && (
        <p class="links">
          <a href={workerHash(peerId)}>Transcript</a> <a href={workerHash(peerId, "events")}>Events</a>
          {hasEnded && <Shell>{`claw restart ${name}`}</Shell>}
        </p>
      )}
    </article>
  );
}
