import { exitName } from "../errors/exits.ts";
import type { JudgedExit } from "./action.ts";

/** Exits of a process stopped by SIGINT and SIGTERM. */
export const CANCELLED_EXITS: readonly number[] = [130, 143];

/** The exit an answer is judged by. A number the table does not know, or none at all, counts as GENERAL_ERROR. */
export function judgeExit(exitCode: number | null): { readonly exit: JudgedExit; readonly known: boolean } {
  if (exitCode !== null && CANCELLED_EXITS.includes(exitCode)) return { exit: "CANCELLED", known: true };
  const exit = exitCode === null ? undefined : exitName(exitCode);
  return exit === undefined ? { exit: "GENERAL_ERROR", known: false } : { exit, known: true };
}
