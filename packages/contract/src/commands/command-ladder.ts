import type { CommandStep } from "../events/families/system.ts";
import type { CommandRoute, EvidenceKind } from "../workers/worker-words.ts";

/** The fact that proves a step of a command. */
export interface RungEvidence {
  readonly kind: EvidenceKind;
  readonly value: string | number;
}

/** One step of a command, with the evidence. */
export interface Rung {
  readonly step: CommandStep;
  /** Milliseconds. */
  readonly at: number;
  /** Null for an end that follows from time or from a refusal, never for a step forward. */
  readonly evidence: RungEvidence | null;
  readonly route: CommandRoute | null;
  /** Time in milliseconds when the command expires unless the next step is taken. */
  readonly deadline: number | null;
  readonly reason?: string;
}

/** A command to a worker, with the steps taken so far. */
export interface CommandLadder {
  readonly commandId: string;
  readonly targetPeerId: string;
  readonly cmdTopic: string;
  readonly action: string;
  readonly from: string;
  /** Place of the command in the log. */
  readonly sequence: number;
  readonly rungs: readonly Rung[];
}

/** Why a step cannot be taken. */
export type Misstep =
  | "ended"
  | "repeated"
  | "backwards"
  | "no_evidence"
  | "wrong_evidence"
  | "no_reason"
  | "begins_late";

export type Climbed =
  | { readonly kind: "climbed"; readonly ladder: CommandLadder }
  | { readonly kind: "refused"; readonly why: Misstep };

/** Order of the steps forward. A command may end as expired or refused from every one of them but the last. */
export const FORWARD_STEPS = ["accepted", "queued", "injected", "submitted", "acked", "applied"] as const;

const ENDS: ReadonlySet<CommandStep> = new Set(["applied", "expired", "refused"]);

/** Kinds of evidence that prove each step. A step without an entry here needs a reason instead of evidence. */
const EVIDENCE: Readonly<Partial<Record<CommandStep, ReadonlySet<EvidenceKind>>>> = {
  accepted: new Set(["sequence"]),
  queued: new Set(["sequence"]),
  injected: new Set(["sequence", "pty_offset", "process", "signal"]),
  submitted: new Set(["sequence", "pty_offset", "process", "signal"]),
  acked: new Set(["sequence", "process", "signal"]),
  applied: new Set(["sequence", "process", "signal"]),
};

const placeOf = (step: CommandStep): number => FORWARD_STEPS.findIndex((each) => each === step);

export const isFinalStep = (step: CommandStep): boolean => ENDS.has(step);

/** The last step taken; undefined before the first. */
export const furthestStep = ({ rungs }: CommandLadder): CommandStep | undefined => rungs.at(-1)?.step;

export const ladderEnded = (ladder: CommandLadder): boolean => {
  const step = furthestStep(ladder);
  return step !== undefined && isFinalStep(step);
};

/** The latest route that a step names; null when no step names a route. */
export const ladderRoute = ({ rungs }: CommandLadder): CommandRoute | null =>
  rungs.findLast(({ route }) => route !== null)?.route ?? null;

export const ladderDeadline = ({ rungs }: CommandLadder): number | null => rungs.at(-1)?.deadline ?? null;

function misstepOf(ladder: CommandLadder, { step, evidence, reason }: Rung): Misstep | undefined {
  const last = furthestStep(ladder);
  if (last !== undefined && isFinalStep(last)) return "ended";
  const kinds = EVIDENCE[step];
  if (kinds === undefined) return reason === undefined || reason === "" ? "no_reason" : undefined;
  if (last === undefined && step !== "accepted") return "begins_late";
  if (last === step) return "repeated";
  if (last !== undefined && placeOf(step) < placeOf(last)) return "backwards";
  if (evidence === null) return "no_evidence";
  return kinds.has(evidence.kind) ? undefined : "wrong_evidence";
}

/**
 * Takes one step if the step is legal: forward only, each step once, with evidence of an accepted kind, no step after
 * an end. Steps in between may be left out: evidence of a later step proves the earlier steps too.
 */
export function climb(ladder: CommandLadder, rung: Rung): Climbed {
  const why = misstepOf(ladder, rung);
  if (why !== undefined) return { kind: "refused", why };
  return { kind: "climbed", ladder: { ...ladder, rungs: [...ladder.rungs, rung] } };
}
