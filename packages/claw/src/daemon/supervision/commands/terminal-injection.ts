import type { TerminalScreen } from "claw-contract";
import { ClawError, COMMAND_LIMITS } from "claw-contract";
import type { Terminals } from "../../../bus/index.ts";
import type { ComposerText } from "./composer.ts";
import { hasAppeared, heldText, isHeld, lineChanged, visibleEnd } from "./composer.ts";
import { bracketed, ENTER, inertLine, inertPaste, takesPastes } from "./inert-text.ts";
import type { InjectionPace, Sleep } from "./injection-pace.ts";
import { withinPace } from "./injection-pace.ts";

/** A text for a terminal, with callbacks for the progress of the typing. */
export interface Injection {
  readonly terminals: Terminals;
  readonly terminalId: string;
  readonly text: string;
  readonly pace: InjectionPace;
  readonly pause: Sleep;
  /**
   * Called before the first byte is typed. Resolves when the event is on disk: from then on, the text is never typed
   * again.
   */
  readonly begun: (offset: number) => Promise<void>;
  /** Called when the text is in the terminal, before Enter is pressed. Resolves when the event is on disk. */
  readonly injected: (offset: number) => Promise<void>;
  /** Called after Enter is pressed. Enter is never pressed again. */
  readonly entered: () => void;
}

/** The kernel's own echo of Enter: it comes whether or not the program reads. */
const ECHO_BYTES = 2;
/** Looks at the screen that have to agree: one alone may fall between the clearing of a line and its redrawing. */
export const LOOKS = 3;

export interface TypedText {
  /** Bytes written to the terminal. */
  readonly bytes: Uint8Array;
  /** The typed text, without characters that a program would act upon. */
  readonly inert: string;
  /** The visible end of the typed text. */
  readonly end: string;
  readonly marked: boolean;
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Prepares a text for typing. Throws COMMAND_REFUSED for a text that cannot be typed. */
export function prepareText(terminalId: string, text: string, marked: boolean): TypedText {
  const inert = marked ? inertPaste(text) : inertLine(text);
  const bytes = encode(marked ? bracketed(inert) : inert);
  const limit = marked ? COMMAND_LIMITS.pastedBytes : COMMAND_LIMITS.typedLineBytes;
  const end = visibleEnd(inert);
  const problem = end === "" ? "there is nothing to type" : `it is longer than the ${limit} bytes that can be typed`;
  if (end !== "" && bytes.length <= limit) return { bytes, inert, end, marked };
  throw new ClawError("COMMAND_REFUSED", problem, { operation: "type", target: terminalId });
}

/** Waits until the text is on the screen. False when the signal's time was over first. */
async function untilShown(injection: Injection, typed: TypedText, before: TerminalScreen, signal: AbortSignal) {
  const { terminals, terminalId } = injection;
  for (;;) {
    const now = await terminals.screen(terminalId);
    if (hasAppeared(before, now, typed.end)) return true;
    await terminals.whenOutput(terminalId, now.offset, signal);
  }
}

/** Waits until the screen shows that the program took the paste, or until the time for this wait is over. */
async function untilTaken(injection: Injection, typed: TypedText, before: TerminalScreen, signal: AbortSignal) {
  const { terminals, terminalId, pace, pause } = injection;
  const silent = { ms: pace.silentMs, pause };
  const stirred = await withinPace(silent, signal, (own) => terminals.whenOutput(terminalId, before.offset, own));
  if (stirred === undefined) return;
  const shown = (own: AbortSignal) => untilShown(injection, typed, before, own);
  if ((await withinPace({ ms: pace.seenMs, pause }, signal, shown)) === true) return;
  if (lineChanged(before, await terminals.screen(terminalId))) return;
  // Output without the text: the program draws other content and does not read yet.
  await withinPace(silent, signal, shown);
}

/** Whether several looks in a row find that the text is gone from its place. */
async function isLetGo({ terminals, terminalId, pace, pause }: Injection, held: ComposerText, signal: AbortSignal) {
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await pause(pace.settleMs, signal);
    if (isHeld(await terminals.screen(terminalId), held)) return false;
  }
  return true;
}

/**
 * Waits until the terminal shows that the program took the text: output beyond the echo of Enter, and the cursor's line
 * without the text. A text that was never seen there cannot be seen to go.
 */
async function untilSubmitted(injection: Injection, entered: Entered, signal: AbortSignal): Promise<number> {
  const { terminals, terminalId } = injection;
  const { held, offset } = entered;
  let seen = offset + ECHO_BYTES;
  for (;;) {
    seen = await terminals.whenOutput(terminalId, seen, signal);
    if (held !== undefined && (await isLetGo(injection, held, signal))) return seen;
  }
}

interface Entered {
  /** Text that the cursor's line has to lose; undefined when the terminal cannot show it. */
  readonly held: ComposerText | undefined;
  readonly offset: number;
}

/**
 * Whether output after Enter is evidence. A program that takes no marked pastes may leave the echo to the kernel, which
 * echoes whether or not the program reads. When such a program also prints by itself, its output is no answer.
 */
async function isTelling(injection: Injection, { marked }: TypedText, signal: AbortSignal): Promise<boolean> {
  if (marked) return true;
  const { terminals, terminalId, pace, pause } = injection;
  const offset = await terminals.offset(terminalId);
  const silence = { ms: pace.seenMs, pause };
  return (await withinPace(silence, signal, (own) => terminals.whenOutput(terminalId, offset, own))) === undefined;
}

/** Presses Enter, once, after the program came to rest with the paste. */
async function pressEnter(injection: Injection, typed: TypedText, signal: AbortSignal): Promise<Entered> {
  const { terminals, terminalId, pace, pause, entered } = injection;
  await pause(pace.settleMs, signal);
  const telling = await isTelling(injection, typed, signal);
  const screen = await terminals.screen(terminalId);
  signal.throwIfAborted();
  await terminals.write(terminalId, encode(ENTER));
  entered();
  return { held: telling ? heldText(screen, typed.end) : undefined, offset: screen.offset };
}

/**
 * Types a text into a terminal and presses Enter once. Resolves with the offset in the terminal's output at which the
 * screen shows that the program took the text. Waits until the signal is aborted, and rejects with the signal's reason;
 * with TERMINAL_NOT_FOUND when the terminal closes; with COMMAND_REFUSED, before any byte is typed, for a text that
 * cannot be typed.
 */
export async function injectText(injection: Injection, signal: AbortSignal): Promise<number> {
  const { terminals, terminalId, text } = injection;
  const before = await terminals.screen(terminalId);
  const typed = prepareText(terminalId, text, await takesPastes(terminals, terminalId, before));
  signal.throwIfAborted();
  await injection.begun(before.offset);
  signal.throwIfAborted();
  await terminals.write(terminalId, typed.bytes);
  await untilTaken(injection, typed, before, signal);
  await injection.injected(await terminals.offset(terminalId));
  signal.throwIfAborted();
  const entered = await pressEnter(injection, typed, signal);
  return untilSubmitted(injection, entered, signal);
}
