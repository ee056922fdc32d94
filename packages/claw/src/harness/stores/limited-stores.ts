import type { JsonObject } from "claw-contract";
import { textOf } from "claw-contract";
import { limitDepth } from "../stream/loose-values.ts";
import { remember } from "./remember.ts";

/** The first `limit` characters of a text and a mark, or the text itself. A character outside the BMP counts as one. */
export function cutText(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return end >= text.length ? text : text.slice(0, end) + mark;
}

/** Texts joined by a newline, up to a limit. */
export interface TextStore {
  /**
   * Adds a text. Past the limit only the beginning of the text is kept, and later texts are dropped. True when the
   * whole text is kept.
   */
  add(text: string): boolean;
  text(): string;
  /** Whether something was not kept. */
  isCut(): boolean;
}

/** The longest beginning of a text that fits into `maxBytes` bytes of UTF-8. */
function fitBytes(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes);
  // As in a stream, a character that is cut in two at the end is not decoded.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

/** The most bytes a UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3;
/** Texts that are joined at a time. */
const JOINED_TEXTS = 256;

/**
 * Joins texts while they are young: the collection of garbage need not copy them, and their bytes are counted together.
 * Serves the rows `short lines`.
 */
export function createTextStore(maxBytes: number): TextStore {
  const joined: string[] = [];
  let bytes = 0;
  /** Texts that are not joined yet, and the most bytes they can be. */
  let young: string[] = [];
  let youngBytes = 0;
  let cut = false;

  const join = (): void => {
    if (young.length === 0) return;
    const text = young.join("\n");
    bytes += Buffer.byteLength(text) + (joined.length === 0 ? 0 : 1);
    joined.push(text);
    young = [];
    youngBytes = 0;
  };
  const fits = (text: string): boolean => bytes + youngBytes + text.length * BYTES_PER_UNIT < maxBytes;
  /** Adds the text, or its beginning when it does not fit. */
  const addLast = (text: string): void => {
    join();
    const room = maxBytes - bytes - (joined.length === 0 ? 0 : 1);
    cut = Buffer.byteLength(text) > room;
    young.push(cut ? fitBytes(text, room) : text);
    join();
  };
  return {
    add(text) {
      if (cut) return false;
      if (fits(text)) {
        young.push(text);
        youngBytes += text.length * BYTES_PER_UNIT + 1;
        if (young.length === JOINED_TEXTS) join();
      } else {
        addLast(text);
      }
      return !cut;
    },
    text() {
      join();
      return joined.join("\n");
    },
    isCut: () => cut,
  };
}

/** The warnings of one run, limited to a number that a person might read. */
export interface WarningList {
  add(text: string): void;
  /** The warnings. When some were dropped, a last line tells how many. */
  all(): readonly string[];
  /** Whether warnings were dropped. */
  isCut(): boolean;
}

const MAX_WARNINGS = 1000;

export function createWarningList(): WarningList {
  const warnings: string[] = [];
  let more = 0;
  return {
    add(text) {
      if (warnings.length < MAX_WARNINGS) warnings.push(text);
      else more += 1;
    },
    isCut: () => more > 0,
    all: () => (more === 0 ? [...warnings] : [...warnings, `too-many-warnings: ${more} more are not told`]),
  };
}

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
