import { useState } from "preact/hooks";
import type { ApprovalView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { Ladder } from "../../parts/ladder.tsx";
import { inert, inertLine } from "../../text/inert.ts";
import { timeText } from "../../text/amounts.ts";
import { CardHead } from "./card-head.tsx";
import { Subject } from "./subject.tsx";

/** The label of an option of an approval, and the decision that the option stands for. */
function optionText(id: string | undefined, label: string | undefined): string {
  const parts = [id, label].filter((part) => part !== undefined && part !== "");
  return inertLine([...new Set(parts)].join(": "), 80);
}

interface ButtonsProps {
  readonly approval: ApprovalView;
  readonly words: { readonly reason?: string };
}

/** A button for each answer. Where no option is the default one, no key chooses. */
function AnswerButtons({ approval, words }: ButtonsProps) {
  const { store } = usePage();
  const { approvalId, hash, options, worker } = approval;
  const choices = options.length === 0 ? [{ id: undefined, label: "Approve" }] : options;
  const meant = choices.length === 1 ? 0 : options.findIndex((option) => option.default === true);
  const answer = (decision: "approve" | "reject", chosen?: string) => () =>
    store.act.answer({ approvalId, hash, decision, ...(chosen === undefined ? {} : { chosen }), ...words });
  const about = { disabled: !store.canAct.value, done: `Answered ${inertLine(worker, 60)}` };
  return (
    <>
      {choices.map(({ id, label }, index) => (
        <BusyButton
          key={id ?? "approve"}
          {...about}
          tone={index === meant ? "main" : "plain"}
          run={answer("approve", id)}
          {...(index === meant ? { keys: "y", answer: "yes" } : {})}
        >
          {optionText(id, label)} {index === meant && <kbd>y</kbd>}
        </BusyButton>
      ))}
      <BusyButton {...about} tone="danger" keys="n" answer="no" run={answer("reject")}>
        Reject <kbd>n</kbd>
      </BusyButton>
    </>
  );
}

/** The answers to an open question, and the reason that goes along. */
function Answers({ approval }: { readonly approval: ApprovalView }) {
  const { store } = usePage();
  const [reason, setReason] = useState("");
  return (
    <div class="answer">
      <AnswerButtons approval={approval} words={reason.trim() === "" ? {} : { reason: reason.trim() }} />
      <input
        class="text-field"
        aria-label="Reason, told to the worker"
        placeholder="reason, told to the worker"
        value={reason}
        disabled={!store.canAct.value}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
    </div>
  );
}

const OUTCOMES = {
  deadline: "Nobody answered in time; the default was given.",
  changed: "The worker asks something else now. This answer was not given.",
  worker_ended: "The worker has ended.",
  withdrawn: "The worker no longer asks.",
} as const;

/** How a question ended. */
function Outcome({ approval }: { readonly approval: ApprovalView }) {
  const { store } = usePage();
  const { outcome } = approval;
  if (outcome === null) return null;
  if (outcome.kind === "expired") return <p class="why">{OUTCOMES[outcome.reason]}</p>;
  const isOwn = outcome.by === store.client()?.peerId();
  const by = isOwn ? "you" : outcome.by === "server" ? `rule ${outcome.rule ?? ""}` : outcome.by;
  return (
    <p>
      <b class={outcome.decision === "approve" ? "good" : "bad"}>
        {outcome.decision === "approve" ? "Approved" : "Rejected"}
      </b>
      {outcome.chosen !== null && ` (${inertLine(outcome.chosen, 80)})`} by {inertLine(by, 80)} at{" "}
      {timeText(Date.parse(outcome.ts))}
      {outcome.reason !== null && outcome.reason !== "" && `: ${inertLine(outcome.reason, 300)}`}
    </p>
  );
}

/** How far the answer has come, from its first step on. */
function Delivery({ approval }: { readonly approval: ApprovalView }) {
  const { store } = usePage();
  const ladder = [...store.ladders.value.values()].findLast(({ approvalId }) => approvalId === approval.approvalId);
  return ladder === undefined && approval.outcome?.kind !== "answered" ? null : <Ladder ladder={ladder} />;
}

/** A question of a worker: the whole subject, the options, and the delivery of the answer. */
export function ApprovalCard({ approval }: { readonly approval: ApprovalView }) {
  const { message, options, worker, peerId, ts, deadline, status } = approval;
  const isOpen = status === "open";
  const otherwise = approval.default === "reject" ? "it is rejected" : "it is approved";
  return (
    <article class={`card ${isOpen ? "" : "card-closed"}`} tabIndex={0} data-row data-open={isOpen ? "" : undefined}>
      <CardHead
        kind={options.length > 0 ? "question" : "approval"}
        tone={isOpen ? "asks" : "calm"}
        name={worker}
        peerId={peerId}
        since={ts}
        {...(isOpen ? { deadline, otherwise } : {})}
      />
      <h2 class="ask">{inert(message)}</h2>
      <Subject approval={approval} />
      {isOpen && <Answers approval={approval} />}
      <Outcome approval={approval} />
      <Delivery approval={approval} />
    </article>
  );
}
