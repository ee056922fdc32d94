import { judged, Word } from "../../define-request.ts";

/** The id of a task that has to exist. */
export const TaskId = judged(Word.describe("Required."));
