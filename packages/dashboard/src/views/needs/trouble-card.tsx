import { usePage } from "../../app/page.ts";
import { workerHash } from "../../app/route.ts";
import { Shell } from "../../parts/notice.tsx";
import type { Need } from "claw-contract";
import { inert } from "../../text/inert.ts";
import { CardHead } from "./card-head.tsx";

/** A worker in trouble or with a question of its terminal, or a budget that is spent: what is wrong, and what helps. */
export function TroubleCard({ need }: { readonly need: Need }) {
  const { store } = usePage();
  const { peerId, name, text, since, kind, deadline } = need;
  const worker = store.moment.value?.workers.find(({ peer_id: id }) => id === peerId);
  const inTerminal = worker !== undefined && worker.terminal_id !== null;
  return (
    <article class="card" tabIndex={0} data-row>
      <CardHead
        kind={kind === "budget" || kind === "question" ? kind : "alert"}
        tone={kind === "question" ? "asks" : "bad"}
        name={name}
        peerId={peerId}
        since={since}
        deadline={deadline}
      />
      <h2 class="ask">{inert(text)}</h2>
      {peerId !== null && (
        <p class="links">
          <a href={workerHash(peerId, inTerminal ? "terminal" : "transcript")}>
            {inTerminal ? "Terminal" : "Transcript"}
          </a>{" "}
          <a href={workerHash(peerId, "events")}>Events</a>
          {worker?.ended === true && <Shell>{`claw restart ${name}`}</Shell>}
        </p>
      )}
    </article>
  );
}
