import * as z from "zod";
import { ERROR_CODES } from "../errors/errors.ts";
import { ERROR_CLASSES } from "../errors/error-row.ts";

const LOOKUP_KINDS = ["command_not_found", "tool_not_found", "session_not_found"] as const;

const Redirect = z.object({
  command: z.string().describe("The replacement, to be called verbatim."),
  permanent: z.boolean(),
  reason: z.enum(["renamed", "restructured", "deprecated", "typo_corrected"]).optional(),
});

const retryFields = {
  retry_after: z.int().min(0).optional().describe("Seconds to wait before calling again."),
  retry_after_ms: z.int().min(0).optional(),
  redirect: Redirect.optional(),
};

const noteFields = {
  warnings: z.array(z.string()).optional(),
  truncated: z.boolean().optional(),
  cursor: z.string().optional(),
  etag: z.string().optional(),
  not_modified: z.boolean().optional(),
};

const Code = z.enum(ERROR_CODES);

/** `claw`, the default: common fields and the payload at the top level. */
export const ClawEnvelope = z.looseObject({
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  command: z.string(),
  action: z.string().optional().describe("Of a two-word command, its second word."),
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  output_format: z.literal("json"),
  schema_version: z.literal("1.0"),
  type: z.literal("error").optional(),
  kind: z.string().optional(),
  hint: z.string().optional(),
  name: z.string().nullable().optional().describe("In a not-found answer, what was looked up."),
  found: z.boolean().optional(),
  error: z
    .looseObject({
      kind: z.enum([...ERROR_CLASSES, ...LOOKUP_KINDS]),
      operation: z.string(),
      target: z.string(),
      retryable: z.boolean(),
      message: z.string(),
      hint: z.string().optional(),
      code: Code,
      phase: z.enum(["validation", "execution", "cleanup"]),
      ...retryFields,
    })
    .optional(),
  ...noteFields,
});

/** `flat`: the payload alone, or a short error object. */
export const FlatEnvelope = z.looseObject({
  type: z.literal("error").optional(),
  error: z.string().optional(),
  kind: z.string().optional(),
  hint: z.string().nullable().optional(),
  ...retryFields,
  ...noteFields,
});

/** `response`: five keys, always. */
export const ResponseEnvelope = z.strictObject({
  ok: z.boolean().describe("True if and only if the process exit is 0."),
  data: z.record(z.string(), z.unknown()).nullable(),
  error: z
    .looseObject({
      code: Code,
      message: z.string(),
      retryable: z.boolean(),
      phase: z.enum(["validation", "execution", "cleanup"]),
      suggestion: z.string(),
      ...retryFields,
    })
    .nullable(),
  warnings: z.array(z.string()),
  meta: z.looseObject({
    duration_ms: z.int().min(0),
    request_id: z.string(),
    schema_version: z.literal("1.0"),
    tool_version: z.string(),
    command: z.string(),
    action: z.string().optional().describe("Of a two-word command, its second word."),
    timestamp: z.string(),
    timeout_ms: z.int().min(0).optional(),
    trace_id: z.string().optional(),
    pagination: z
      .object({
        total: z.int().min(0),
        returned: z.int().min(0),
        truncated: z.boolean(),
        has_more: z.boolean(),
        next_cursor: z.string().nullable(),
      })
      .optional(),
    partial: z.record(z.string(), z.unknown()).optional(),
    not_modified: z.boolean().optional(),
    truncated: z.boolean().optional(),
    cursor: z.string().optional(),
    etag: z.string().optional(),
  }),
});
