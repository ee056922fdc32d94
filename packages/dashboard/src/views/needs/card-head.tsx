import { workerHash } from "../../app/route.ts";
import { usePage } from "../../app/page.ts";
import { Age } from "../../parts/age.tsx";
import { clockText } from "../../text/amounts.ts";
import { inertLine } from "../../text/inert.ts";

interface CardHeadProps {
  readonly kind: string;
  readonly tone: "asks" | "bad" | "good" | "calm";
  readonly name: string;
  readonly peerId: string | null;
  readonly since: string;
  readonly deadline?: string | null;
  /** What happens at the deadline. */
  readonly otherwise?: string;
}

/** Time left until a question is answered with its default. */
function TimeLeft({ deadline, otherwise }: { readonly deadline: string; readonly otherwise: string }) {
  const { store } = usePage();
  const left = Date.parse(deadline) - store.now.value;
  const isClose = left < 60_000;
  return (
    <span class={isClose ? "left left-close" : "left"} title={`then: ${otherwise}`}>
      {clockText(left)} left, then {otherwise}
    </span>
  );
}

/** Who needs what, since when, and how long there is time. */
export function CardHead({ kind, tone, name, peerId, since, deadline = null, otherwise = "" }: CardHeadProps) {
  return (
    <header class="card-head">
      <span class={`pill tone-${tone}`}>{kind}</span>
      {peerId === null ? <b>{inertLine(name, 64)}</b> : <a href={workerHash(peerId)}>{inertLine(name, 64)}</a>}
      <Age since={since} suffix=" ago" />
      {deadline !== null && <TimeLeft deadline={deadline} otherwise={otherwise} />}
    </header>
  );
}
