import type { CommandRoute, RungEvidence, WorkerEnd } from "claw-contract";
import { COMMAND_ROUTES, endInOwn, EVIDENCE_KINDS, furthestStep, ladderRoute, nonEmptyText } from "claw-contract";
import type { CommandStep } from "claw-contract/schemas";
import { COMMAND_STEPS, isEnveloped } from "claw-contract/schemas";
import type { CommittedEvent } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { OpenCommand } from "./command-memory.ts";

/** A step of a command, with the evidence for it. */
export interface ShownStep {
  readonly step: CommandStep;
  readonly evidence: RungEvidence | null;
  readonly route?: CommandRoute | undefined;
  readonly reason?: string | undefined;
}

export interface TypedCommand {
  readonly command: OpenCommand;
  /** Whether Enter was pressed for the command. */
  readonly entered: boolean;
}

export const WORKER_ENDED = "the worker ended";
const AFTER_TURN: ReadonlySet<unknown> = new Set(["activity", "tool_started", "tool_ended", "turn_ended"]);

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

/** The step that a worker reports for a command. */
function reported({ ladder }: OpenCommand, fields: Readonly<Record<string, unknown>>): ShownStep[] {
  const step = oneOf(COMMAND_STEPS, fields["step"]);
  if (fields["command_id"] !== ladder.commandId || step === undefined) return [];
  const { kind, value } = fieldsOf(fields["evidence"]);
  const known = oneOf(EVIDENCE_KINDS, kind);
  const evidence = known === undefined ? null : { kind: known, value: value as string | number };
  const reason = nonEmptyText(fields["reason"]) ?? (step === "refused" ? "the worker refused it" : undefined);
  return [{ step, evidence, route: oneOf(COMMAND_ROUTES, fields["route"]), reason }];
}

/** Steps proved by a signal of the worker's agent. */
function noticed({ command, entered }: TypedCommand, signal: unknown, evidence: RungEvidence): ShownStep[] {
  const { ladder } = command;
  const step = furthestStep(ladder);
  if ((ladder.action === "pause" && signal === "paused") || (ladder.action === "resume" && signal === "resumed")) {
    return [{ step: "applied", evidence }];
  }
  if (ladderRoute(ladder) !== "terminal") return [];
  if (signal === "turn_started") {
    if (step === "submitted") return [{ step: "acked", evidence }];
    const both: ShownStep[] = [
      { step: "submitted", evidence },
      { step: "acked", evidence },
    ];
    return step === "injected" && entered ? both : [];
  }
  return step === "acked" && AFTER_TURN.has(signal) ? [{ step: "applied", evidence }] : [];
}

/** A worker that ended by its own word. A command that a failed worker had acknowledged was not carried out. */
function ended({ ladder }: OpenCommand, { by }: WorkerEnd, evidence: RungEvidence): ShownStep[] {
  const done = ladder.action === "abort" || (by === "complete" && furthestStep(ladder) === "acked");
  return [done ? { step: "applied", evidence } : { step: "expired", evidence, reason: WORKER_ENDED }];
}

/** Steps proved by a worker's `cmd.ack`. */
function acknowledged({ ladder }: OpenCommand, fields: Readonly<Record<string, unknown>>, evidence: RungEvidence) {
  if (fields["seq"] !== ladder.sequence) return [];
  const acked: ShownStep = { step: "acked", evidence };
  if (fields["status"] === "executed") return [acked, { step: "applied", evidence } satisfies ShownStep];
  if (fields["status"] === "duplicate") return [acked];
  return [{ step: "refused", evidence, reason: "the worker rejected it" } satisfies ShownStep];
}

function correlates({ ladder, correlationId }: OpenCommand, payload: unknown): boolean {
  const ids = [isEnveloped(payload) ? payload["correlation_id"] : undefined, fieldsOf(payload)["correlation_id"]];
  return ids.some((id) => id !== undefined && (id === ladder.commandId || id === correlationId));
}

/** The steps of a command that an event of its worker proves. Some of the steps may be taken already. */
export function shownSteps(typed: TypedCommand, event: CommittedEvent): readonly ShownStep[] {
  const { command } = typed;
  const { topic, from, payload, sequence } = event;
  const { ladder, data } = command;
  if (from !== ladder.targetPeerId || sequence <= ladder.sequence) return [];
  const fields = fieldsOf(payload);
  const evidence: RungEvidence = { kind: "sequence", value: sequence };
  const kind = topic.slice(topic.lastIndexOf(".") + 1);
  if (topic.startsWith("cmd.")) return kind === "ack" ? acknowledged(command, fields, evidence) : [];
  if (kind === "command") return reported(command, fields);
  const acked: ShownStep[] = correlates(command, payload) ? [{ step: "acked", evidence }] : [];
  if (kind === "signal") return [...acked, ...noticed(typed, fields["signal"], evidence)];
  const end = endInOwn(kind, fields);
  if (end?.by === "complete" || end?.by === "fatal") return [...acked, ...ended(command, end, evidence)];
  if (kind === "phase" && ladder.action === "set_phase" && fields["phase"] === data["phase"]) {
    return [...acked, { step: "applied", evidence }];
  }
  return acked;
}
