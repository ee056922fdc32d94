import { unicodeEscape } from "../text/plain-text.ts";

/** The word that a command topic has in the line typed into a worker's input. Any other command is its own word. */
export const COMMAND_WORDS = {
  approve: "approve_request",
  reject: "reject_request",
  unblock: "unblock",
  abort: "abort",
  pause: "pause",
  resume: "resume",
  set_phase: "set_phase",
  spawn: "spawn",
  inject_text: "inject_text",
} as const satisfies Record<string, string>;

const WORD_BY_ACTION: ReadonlyMap<string, string> = new Map(Object.entries(COMMAND_WORDS));
const ACTION_BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(COMMAND_WORDS).map(([action, word]) => [word, action]),
);

export const commandWord = (action: string): string => WORD_BY_ACTION.get(action) ?? action;

export interface CommandLine {
  /** Id the worker correlates by: the answered request, or the command itself. */
  readonly requestId: string;
  /** Last segment of the command's topic. */
  readonly action: string;
  readonly payload: unknown;
  /** Counter that only older clients look for. */
  readonly seq?: number | undefined;
}

const PLAIN_ID = /^[^\s"\]\p{C}][^\s\]\p{C}]*$/u;
const ACTION = /^[A-Za-z0-9_-]+$/;
const LINE = /^\[CLAWS_CMD (?:seq=(\d{1,15}) )?r=("(?:[^"\\]|\\.)*"|[^\s\]]+)\] ([A-Za-z0-9_-]+): (.*)$/;

/** JSON with control characters escaped, so a terminal cannot act on them and the text remains one line. */
const inertJson = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replaceAll(/[\u007f-\u009f\u2028\u2029]/g, unicodeEscape);

function withoutCorrelation(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return payload ?? {};
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== "correlation_id"));
}

/**
 * `[CLAWS_CMD r=req-1] approve_request: {"chosen":"B"}`. The header says what is answered, so the payload does not
 * repeat `correlation_id`. An id with blanks, brackets or control characters is written as a JSON string.
 * Null if the action could not be the last segment of a topic.
 */
export function formatCommand({ requestId, action, payload, seq }: CommandLine): string | null {
  if (!ACTION.test(action)) return null;
  const id = PLAIN_ID.test(requestId) ? requestId : inertJson(requestId);
  const counter = seq === undefined ? "" : `seq=${seq} `;
  return `[CLAWS_CMD ${counter}r=${id}] ${commandWord(action)}: ${inertJson(withoutCorrelation(payload))}`;
}

function parseJson(json: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return null;
  }
}

/** The command on a line, or null if the line is none. */
export function parseCommand(line: string): CommandLine | null {
  const [, seq, id = "", word = "", json = ""] = LINE.exec(line.trim()) ?? [];
  const requestId = id.startsWith('"') ? parseJson(id)?.value : id;
  const payload = parseJson(json);
  if (typeof requestId !== "string" || requestId === "" || payload === null) return null;
  const action = ACTION_BY_WORD.get(word) ?? word;
  return { requestId, action, payload: payload.value, ...(seq === undefined ? {} : { seq: Number(seq) }) };
}
