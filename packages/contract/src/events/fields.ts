import * as z from "zod";
import { EVENT_LIMITS } from "./event-limits.ts";

export const ROLES = ["orchestrator", "worker", "observer"] as const;
export type Role = (typeof ROLES)[number];

export const text = (description: string) => z.string().min(1).describe(description);
export const anyText = (description: string) => z.string().describe(description);
export const amount = (description: string) => z.number().min(0).describe(description);
export const whole = (description: string) => z.int().min(0).describe(description);
export const flag = (description: string) => z.boolean().describe(description);
export const role = (description: string) => z.enum(ROLES).describe(description);
export const record = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** The length is checked before the entries: a long list of wrong entries would produce a long list of problems. */
export function list<Item extends z.ZodType>(item: Item, description: string) {
  const limit = EVENT_LIMITS.listItems;
  return z.array(z.unknown()).max(limit).pipe(z.array(item).max(limit)).describe(description);
}

export const texts = (description: string) => list(z.string(), description);

/** Offsets are accepted beside `Z`, because not every clock library writes UTC the same way. */
export const timestamp = (description: string) => z.iso.datetime({ offset: true }).describe(description);

/** The asking peer chooses the id, so any non-empty string is valid, not only a UUID. */
export const requestId = (description: string) =>
  z.string().min(1).max(EVENT_LIMITS.requestIdLength).describe(description);

export const Artifact = z
  .looseObject({
    path: text("Where the artifact lies."),
    type: text("What it is, for example markdown.").optional(),
    size_bytes: amount("Size in bytes.").optional(),
  })
  .describe("A file that a worker hands over.");
export type Artifact = z.infer<typeof Artifact>;
