import type { JsonObject } from "claw-contract";
import { textOf } from "claw-contract";

/** What a system says to a program that a sandbox keeps from writing. */
const STOPPED = /read-only file system|operation not permitted/i;

/** Whether the output of a command that failed shows that a sandbox stopped it. Agents report no more of it. */
export const saysSandbox = (output: string): boolean => STOPPED.test(output);

const NAMED = 5;

/** What a result warns of when calls were refused; null when none was. */
export function refusalWarning(denials: readonly JsonObject[]): string | null {
  if (denials.length === 0) return null;
  const names = [...new Set(denials.map((denial) => textOf(denial["tool_name"])).filter((name) => name !== ""))];
  const shown = names.slice(0, NAMED).join(", ") + (names.length > NAMED ? ", …" : "");
  const calls = denials.length === 1 ? "1 call was" : `${denials.length} calls were`;
  return `permission-denied: ${calls} refused${shown === "" ? "" : `: ${shown}`}`;
}
