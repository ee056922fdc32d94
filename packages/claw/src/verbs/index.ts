export type { LiveLine, Ports, StandardInput, Terminal } from "./handle.ts";
export { createNoteTaker } from "./note-taker.ts";
export type { Paint } from "./paint.ts";
export type { RawTerminal } from "./raw-terminal.ts";
export type { ChoiceRequest, Completion, LineRequest, Screen, Span, Style } from "./screen.ts";
export { runVerb, showItem, showVerb } from "./run-verb.ts";
export { GLOBAL_FIELDS, VERB_SPECS } from "./verb-table.generated.ts";
export { characterWidth, charactersOf, textWidth } from "./text-width.ts";
