import type { JsonObject } from "../json.ts";
import type { Outcome } from "./outcome.ts";

/** Notes as top-level fields, present only when they say something. */
export function setNotes({ notes, result }: Outcome): JsonObject {
  return {
    ...(notes.warnings.length > 0 ? { warnings: notes.warnings } : {}),
    ...(notes.truncated ? { truncated: true } : {}),
    ...(notes.cursor === undefined ? {} : { cursor: notes.cursor }),
    ...(notes.etag === undefined ? {} : { etag: notes.etag }),
    ...(result.kind === "not-modified" ? { not_modified: true } : {}),
  };
}
