import type { ShownLadder } from "../store/ladders.ts";
import { isBadEnd, LADDER_STEPS } from "../store/ladders.ts";
import { inertLine } from "../text/inert.ts";

/** The steps of a command, those that were reached filled in. Steps that a route does not have stay hollow. */
export function Ladder({ ladder }: { readonly ladder: ShownLadder | undefined }) {
  const steps = ladder?.steps ?? [];
  const last = steps.at(-1);
  const bad = last !== undefined && isBadEnd(last) ? last : undefined;
  const route = ladder?.route === null || ladder === undefined ? "" : ` by ${ladder.route}`;
  const reached = last === undefined ? "sent; the daemon has not told a step yet" : `${last}${route}`;
  return (
    <div class={`ladder ${bad === undefined ? "" : "ladder-bad"}`}>
      <ol aria-label={`Delivery: ${reached}`}>
        {LADDER_STEPS.map((step) => (
          <li key={step} class={steps.includes(step) ? "reached" : ""} aria-hidden="true">
            {step}
          </li>
        ))}
        {bad !== undefined && (
          <li class="reached bad" aria-hidden="true">
            {bad}
          </li>
        )}
      </ol>
      {bad !== undefined && ladder?.reason !== null && <p class="why">{inertLine(ladder?.reason ?? "", 300)}</p>}
    </div>
  );
}
