/**
 * Checks of what a client sends to the bus and gets from the bus, without the schema library. Apart from `client.ts`,
 * because a page loads them before its first event or request only.
 */
export type { PublishChecks } from "./events/event-check.ts";
export { createPublishChecks } from "./events/event-check.ts";
export { isReplyTo, misfitIn } from "./wire/check-shape.ts";
