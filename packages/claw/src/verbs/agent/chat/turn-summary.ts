import type { TurnStopReason } from "claw-contract";
import { count } from "../../runs/run-report.ts";
import { duration } from "../../text/times.ts";
import type { Span } from "../../runtime/screen.ts";
import { plural } from "../../text/text-layout.ts";
import type { SessionTurn } from "../turns/run-in-session.ts";

const ENDINGS: Readonly<Partial<Record<TurnStopReason, string>>> = {
  max_turns_reached: "The agent stopped at the limit of requests.",
  max_budget_reached: "The agent stopped before it would have gone beyond the budget.",
};

/** Summarises a turn: the limit that stopped the turn, then the requests, tokens and seconds used. */
export function turnSummary({ progress, stopReason }: SessionTurn, durationMs: number): Span[] {
  const { iterations, usage } = progress;
  const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const ending = stopReason === null ? undefined : ENDINGS[stopReason];
  const facts = [
    plural(iterations, "request"),
    `${count(read)} tokens in, ${count(usage.output_tokens)} out`,
    duration(durationMs / 1000),
  ];
  return [
    ...(ending === undefined ? [] : [{ text: `${ending}\n`, styles: ["yellow"] as const }]),
    { text: `${facts.join(" · ")}\n`, styles: ["dim"] },
  ];
}
