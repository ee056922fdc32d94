import * as z from "zod";
import { amount, anyText, Artifact, flag, list, requestId, text } from "./fields.ts";

export const SEVERITIES = ["info", "warn", "error", "fatal"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const RequestOption = z
  .looseObject({
    id: text("Value to answer with."),
    label: anyText("What it means.").optional(),
    default: flag("Whether an approval that names no option means this one.").optional(),
  })
  .describe("One possible answer.");
export type RequestOption = z.infer<typeof RequestOption>;

/** Fields that belong to one kind. All are optional, and a publisher may put them in `data` or beside `kind`. */
export const EVENT_DETAILS = {
  BLOCKED: {
    blocking_resource: text("What the worker waits for.").optional(),
    retryable: flag("Whether trying again may help.").optional(),
  },
  REQUEST: {
    request_type: text("Type of answer the worker wants, for example decision.").optional(),
    options: list(RequestOption, "Answers to choose from.").optional(),
  },
  HARVEST: {
    artifacts: list(Artifact, "Files handed over.").optional(),
  },
  ERROR: {
    error_class: text("Class of the failure.").optional(),
    retryable: flag("Whether trying again may help.").optional(),
    suggested_action: anyText("What could be done about it.").optional(),
  },
  DECISION: {
    decision_id: text("Id of the decision.").optional(),
    option_chosen: text("What was chosen.").optional(),
    reasoning: anyText("Why.").optional(),
  },
  PROGRESS: {
    percent: amount("Share done, from 0 to 1.").optional(),
    current_step: amount("Step being worked on.").optional(),
    total_steps: amount("Steps in all.").optional(),
    eta_ms: amount("Estimated time left.").optional(),
  },
  LOG: {},
} as const satisfies Record<string, z.ZodRawShape>;

export type EventKind = keyof typeof EVENT_DETAILS;
export const EVENT_KINDS = Object.keys(EVENT_DETAILS) as EventKind[];

function eventOfKind<const Kind extends EventKind>(kind: Kind) {
  const details: (typeof EVENT_DETAILS)[Kind] = EVENT_DETAILS[kind];
  return z.looseObject({
    kind: z.literal(kind).describe("What sort of checkpoint this is."),
    severity: z.enum(SEVERITIES).describe("How bad it is; fatal means the worker is going down."),
    message: text("Headline for people."),
    request_id: requestId("Present if an answer is expected; answers carry it as correlation_id.").optional(),
    ...details,
    data: z.looseObject(details).optional().describe("Fields of this kind."),
  });
}

export const WorkerEvent = z.discriminatedUnion("kind", [
  eventOfKind("BLOCKED"),
  eventOfKind("REQUEST"),
  eventOfKind("HARVEST"),
  eventOfKind("ERROR"),
  eventOfKind("DECISION"),
  eventOfKind("PROGRESS"),
  eventOfKind("LOG"),
]);
export type WorkerEvent = z.infer<typeof WorkerEvent>;

type Details = {
  [Kind in EventKind]: z.infer<z.ZodObject<(typeof EVENT_DETAILS)[Kind]>>;
};

/** The kind's own fields, wherever the publisher put them; where both places have one, `data` wins. */
export function eventDetails<Kind extends EventKind>(event: Extract<WorkerEvent, { kind: Kind }>): Details[Kind] {
  const beside: Record<string, unknown> = event;
  const inside: Record<string, unknown> = event.data ?? {};
  const found = Object.keys(EVENT_DETAILS[event.kind])
    .map((name) => [name, inside[name] ?? beside[name]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Details[Kind];
}
