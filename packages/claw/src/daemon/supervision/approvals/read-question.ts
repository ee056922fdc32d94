import { createHash } from "node:crypto";
import type { Redactor } from "claw-contract";
import { approvalDeadline, approvalSubject, canonicalJson, cutValue, LIMITS } from "claw-contract";
import type { ApprovalOpened, RequestOption } from "claw-contract/schemas";
import { eventDetails, WorkerEvent } from "claw-contract/schemas";
import { fieldsOf } from "../../../bus/index.ts";

export interface WorkerQuestion {
  readonly peerId: string;
  /** This life of the worker. */
  readonly bootId: string;
  readonly sequence: number;
  /** ISO time at which the event was stored. */
  readonly askedAt: string;
  /** Data of the event; may have any shape. */
  readonly data: unknown;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const ASKING: ReadonlySet<unknown> = new Set(["BLOCKED", "REQUEST"]);

const ID_DIGITS = 12;

/** The id depends on the hash of the question, so a changed question gets another id. */
const approvalIdOf = ({ peerId, bootId }: WorkerQuestion, requestId: string, hash: string): string =>
  `ap_${sha256(canonicalJson([peerId, bootId, requestId, hash])).slice(0, ID_DIGITS)}`;

/** As many of the options as there is room for, in their order. */
function cutOptions(options: readonly RequestOption[], { redactText }: Redactor): RequestOption[] {
  let room: number = LIMITS.approvalChars;
  const kept: RequestOption[] = [];
  for (const { id, label, default: isDefault } of options) {
    room -= id.length + (label?.length ?? 0) + 1;
    if (room < 0) break;
    const shown = label === undefined ? { id } : { id, label: redactText(label) };
    kept.push(isDefault === true ? { ...shown, default: true } : shown);
  }
  return kept;
}

/**
 * The approval that a worker's event opens; undefined when the event asks no question with a possible answer. The hash
 * covers the whole question as the worker asked. Shown texts have their secrets masked and are cut where they are too
 * long.
 */
export function readQuestion(question: WorkerQuestion, redactor: Redactor): ApprovalOpened | undefined {
  const { peerId, bootId, sequence, askedAt, data } = question;
  // The kind comes first: most events ask nothing, and the schema takes long (bench bus, "server time for an event").
  if (!ASKING.has(fieldsOf(data)["kind"])) return undefined;
  const { success, data: event } = WorkerEvent.safeParse(data);
  if (!success || (event.kind !== "BLOCKED" && event.kind !== "REQUEST")) return undefined;
  const { request_id: requestId, message, kind, severity } = event;
  if (requestId === undefined || severity === "fatal") return undefined;
  const asked = event.kind === "REQUEST" ? (eventDetails(event).options ?? []) : [];
  const whole = approvalSubject(event);
  const hash = sha256(canonicalJson({ message, subject: whole, options: asked }));
  const masked = redactor.redactValue(whole);
  const subject = cutValue(masked, LIMITS.approvalChars);
  const line = cutValue(redactor.redactText(message), LIMITS.approvalMessageChars);
  const options = cutOptions(asked, redactor);
  return {
    approvalId: approvalIdOf(question, requestId, hash),
    peerId,
    bootId,
    requestId,
    sequence,
    kind,
    message: String(line.value),
    subject: subject.value as Record<string, unknown>,
    hash,
    options,
    deadline: new Date(approvalDeadline(event, Date.parse(askedAt))).toISOString(),
    default: "reject",
    ts: askedAt,
    cut: subject.isCut || line.isCut || options.length < asked.length,
    masked: masked !== whole,
  };
}
