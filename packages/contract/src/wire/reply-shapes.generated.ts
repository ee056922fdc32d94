// Made by `npm run generate`. Edit the request's contract instead.
import type { FieldShape } from "./shape.ts";
import type { RequestName } from "./wire-types.ts";

/** The shapes of every reply's fields. */
export const REPLY_SHAPES = JSON.parse(`{
"ping":{"serverTime":{"is":"number"}},
"task.assign":{"taskId":{"is":"text"},"assignedAt":{"is":"number"}}
}`) as Readonly<Record<RequestName, Readonly<Record<string, FieldShape>>>>;
