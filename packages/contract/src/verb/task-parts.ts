import * as z from "zod";

/** Naming a task. */
export const TaskRef = z.string().min(1).max(100).describe("Id of the task, from tasks list.");
