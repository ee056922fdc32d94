export type { LiveLine, Ports, StandardInput, TerminalPort } from "./runtime/handle.ts";
export { createNoteTaker } from "./runtime/note-taker.ts";
export type { Paint } from "./runtime/paint.ts";
export type { RawTerminal } from "./runtime/raw-terminal.ts";
export type { ChoiceRequest, LineCompletion, TypedLineRequest, Screen, Span, Style } from "./runtime/screen.ts";
export { runVerb, showItem, showVerb } from "./runtime/run-verb.ts";
export { GLOBAL_FIELDS, VERB_SPECS } from "./runtime/verb-table.generated.ts";
export { characterWidth, charactersOf, textWidth } from "./text/text-width.ts";
