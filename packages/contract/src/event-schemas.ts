/**
 * zod schemas of events, small enough for a page: made of the shapes that the client carries, with `zod/mini`. They judge
 * data as the schemas of `claw-contract/schemas` do, and leave out descriptions.
 */
export type { EventData, EventName } from "./events/registry.ts";
export type { EventSchema } from "./events/small-schemas.ts";
export { eventNameOf, eventSchema } from "./events/small-schemas.ts";
