import * as z from "zod";
import { bareEvent, wrappedEvent } from "../event-row.ts";
import { anyText, flag, record, requestId, text, whole } from "../fields.ts";
import { PHASES } from "../phases.ts";

export const ACK_STATUSES = ["executed", "rejected", "duplicate"] as const;

const answered = requestId("The request_id of the event that is answered.");
const related = { correlation_id: answered.optional() };

export const CmdApprove = z.looseObject({ correlation_id: answered, payload: record("The answer.").optional() });
export const CmdReject = z.looseObject({ correlation_id: answered, reason: text("Why it is refused.") });
export const CmdUnblock = z.looseObject({
  correlation_id: answered,
  payload: record("What the worker waited for.").optional(),
});
export const CmdAbort = z.looseObject({ ...related, reason: text("Why the worker has to stop.") });
export const CmdPause = z.looseObject(related);
export const CmdResume = z.looseObject(related);
export const CmdSetPhase = z.looseObject({
  ...related,
  phase: z.enum(PHASES).describe("Phase to go to."),
  reason: text("Why the order of phases is overridden."),
});
export const CmdSpawn = z.looseObject({
  ...related,
  name: text("Name of the new worker."),
  mission: text("What it is to do."),
  model: anyText("Model it is to run on.").optional(),
});
export const CmdInjectText = z.looseObject({
  ...related,
  text: anyText("Text to type into the worker's input as it is."),
  paste: flag("Whether to type it as a bracketed paste.").optional(),
});
export const CmdAck = z.looseObject({
  ...related,
  seq: whole("Sequence of the command that is acknowledged."),
  status: z.enum(ACK_STATUSES).describe("What became of it."),
});
export const CmdRole = z.looseObject({
  ...related,
  command: text("The command, by the last segment of its topic."),
});

const toPeer = "cmd.{peerId}";

/** `cmd.role.*` stands first: `role` is a keyword there and not a peer id. */
export const COMMAND_EVENTS = [
  wrappedEvent({
    address: "cmd.role.{role}",
    name: "cmd-role-v1",
    schema: CmdRole,
    summary: "One command for every worker of a role.",
  }),
  wrappedEvent({
    address: `${toPeer}.approve`,
    name: "cmd-approve-v1",
    schema: CmdApprove,
    summary: "Approve what a BLOCKED or REQUEST event asks for.",
  }),
  wrappedEvent({
    address: `${toPeer}.reject`,
    name: "cmd-reject-v1",
    schema: CmdReject,
    summary: "Refuse it, with a reason.",
  }),
  wrappedEvent({
    address: `${toPeer}.unblock`,
    name: "cmd-unblock-v1",
    schema: CmdUnblock,
    summary: "Let a BLOCKED worker go on.",
  }),
  wrappedEvent({
    address: `${toPeer}.abort`,
    name: "cmd-abort-v1",
    schema: CmdAbort,
    summary: "Stop the worker now.",
  }),
  wrappedEvent({
    address: `${toPeer}.pause`,
    name: "cmd-pause-v1",
    schema: CmdPause,
    summary: "Pause until resumed.",
  }),
  wrappedEvent({
    address: `${toPeer}.resume`,
    name: "cmd-resume-v1",
    schema: CmdResume,
    summary: "Go on after a pause.",
  }),
  wrappedEvent({
    address: `${toPeer}.set_phase`,
    name: "cmd-set-phase-v1",
    schema: CmdSetPhase,
    summary: "Permit one phase change that the order of phases would not.",
  }),
  wrappedEvent({
    address: `${toPeer}.spawn`,
    name: "cmd-spawn-v1",
    schema: CmdSpawn,
    summary: "Spawn a worker of your own.",
  }),
  wrappedEvent({
    address: `${toPeer}.inject_text`,
    name: "cmd-inject-text-v1",
    schema: CmdInjectText,
    summary: "Type raw text into the worker's input.",
  }),
  bareEvent({
    address: `${toPeer}.ack`,
    name: "cmd-ack-v1",
    schema: CmdAck,
    summary: "What a worker did with a delivered command.",
  }),
] as const;

/** What a request of the wire carries that delivers a command; no topic has it. */
export const COMMAND_SCHEMAS = {
  "cmd-deliver-v1": z.looseObject({
    targetPeerId: text("Peer the command is for."),
    cmdTopic: text("Topic of the command."),
    payload: z.unknown().describe("The command itself."),
    idempotencyKey: requestId("Key under which it is delivered once."),
    seq: whole("Place of the command in the log.").optional(),
  }),
} as const satisfies Record<string, z.ZodType>;
