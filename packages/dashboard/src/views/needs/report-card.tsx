import { useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { workerHash } from "../../app/route.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import type { Need } from "claw-contract";
import { inert, inertLine } from "../../text/inert.ts";
import { CardHead } from "./card-head.tsx";

interface JudgingProps {
  readonly peerId: string;
  readonly name: string;
  readonly isFailed: boolean;
}

/** Accept and rework, with the words that go along. Used by the card and by the worker's own page. */
export function Judging({ peerId, name, isFailed }: JudgingProps) {
  const { store } = usePage();
  const [words, setWords] = useState("");
  const isDisabled = !store.canAct.value;
  const note = words.trim();
  const accept = (): Promise<void> => store.act.accept(peerId, { force: isFailed, ...(note === "" ? {} : { note }) });
  const toneOfAccept = isFailed ? "plain" : "main";
  return (
    <div class="answer">
      <BusyButton
        tone={toneOfAccept}
        disabled={isDisabled}
        done={`Accepted ${name}`}
        keys="y"
        answer="yes"
        run={accept}
      >
        {isFailed ? "Accept all the same" : "Accept"} <kbd>y</kbd>
      </BusyButton>
      <BusyButton
        tone="danger"
        disabled={isDisabled || note === ""}
        done={`Sent back to ${inertLine(name, 60)}`}
        keys="n"
        answer="no"
        run={() => store.act.rework(peerId, note)}
      >
        Send back <kbd>n</kbd>
      </BusyButton>
      <input
        class="text-field"
        aria-label="What to do better, or a note"
        placeholder="what to do better (needed to send it back)"
        value={words}
        disabled={isDisabled}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
    </div>
  );
}

/** A report that waits to be accepted, or whose checks failed. */
export function ReportCard({ need }: { readonly need: Need }) {
  const { store } = usePage();
  const { peerId, name, text, since, kind } = need;
  const worker = store.moment.value?.workers.find(({ peer_id: id }) => id === peerId);
  const isFailed = kind === "failed_checks";
  if (peerId === null) return null;
  const passed = worker?.completion === "verified" ? "verified" : "report";
  return (
    <article class="card" tabIndex={0} data-row data-open="">
      <CardHead
        kind={isFailed ? "checks failed" : passed}
        tone={isFailed ? "bad" : "good"}
        name={name}
        peerId={peerId}
        since={since}
      />
      <h2 class="ask">{inert(text)}</h2>
      {worker !== undefined && worker.doubts.length > 0 && (
        <p class="why">Doubts: {inertLine(worker.doubts.join(", "), 300)}</p>
      )}
      <p class="links">
        <a href={workerHash(peerId, "changes")}>Changes</a> <a href={workerHash(peerId, "checks")}>Checks</a>{" "}
        <a href={workerHash(peerId)}>Transcript</a>
      </p>
      <Judging peerId={peerId} name={name} isFailed={isFailed} />
    </article>
  );
}
