import type { JsonObject } from "claw-contract";
import { textOf } from "claw-contract";
import { limitDepth } from "../stream/loose-values.ts";
import { remember } from "../stream/stream-state.ts";

/** Tool calls that were refused, once each, up to a limit. */
export interface DenialBook {
  /**
   * Notes a denial. An agent may report a denial when it happens, and again at the end with the tool's input. Never
   * throws.
   */
  note(denial: JsonObject): void;
  all(): readonly JsonObject[];
  /** Whether something was not kept. */
  isCut(): boolean;
}

/** Values nested deeper could not be written as JSON again. */
const MAX_DEPTH = 200;

const weigh = (denial: JsonObject | undefined): number => (denial === undefined ? 0 : JSON.stringify(denial).length);

/** Past the limit a denial is kept without the tool's input. A denial that still does not fit is dropped. */
export function createDenialBook(maxChars: number): DenialBook {
  const denials = new Map<string, JsonObject>();
  let chars = 0;
  let cut = false;
  return {
    note(native) {
      const denial = limitDepth(native, MAX_DEPTH);
      const id = textOf(denial["tool_use_id"]) || JSON.stringify(denial);
      const known = denials.get(id);
      const whole = { ...known, ...denial };
      const { tool_input: _input, ...short } = whole;
      const room = maxChars - chars + weigh(known);
      const kept = [whole, short].find((candidate) => weigh(candidate) <= room);
      cut ||= kept !== whole;
      if (kept === undefined) return;
      chars += weigh(kept) - weigh(known);
      remember(denials, id, kept);
    },
    all: () => [...denials.values()],
    isCut: () => cut,
  };
}

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
