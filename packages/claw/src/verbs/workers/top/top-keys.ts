import type { ScreenRow } from "../../runtime/full-screen.ts";
import { padToWidth } from "../../text/text-width.ts";

/** The keys and their actions, for the page that `?` opens. */
const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["↑ ↓  j k", "select; PgUp, PgDn, g and G go further"],
  ["Enter", "show what is asked, or the worker"],
  ["a", "approve what is asked, or accept what is reported (asks first)"],
  ["r", "reject what is asked (asks first)"],
  ["l", "log of the worker, which goes on"],
  ["d", "changes of the worker in its worktree"],
  ["t", "take the worker's terminal; Ctrl-\\ comes back"],
  ["p", "pause the worker, or let a paused worker go on"],
  ["x", "abort the worker (asks first)"],
  ["?", "these keys"],
  ["q", "back to the list, or leave; Esc goes back, Ctrl-C leaves"],
  ["Ctrl-Z", "stop claw top; fg comes back"],
];

const KEY_COLUMNS = 12;

export const HELP_ROWS: readonly ScreenRow[] = KEYS.map(([key, does]) => [
  { text: `  ${padToWidth(key, KEY_COLUMNS)}`, styles: ["cyan"] },
  { text: does },
]);

export const LIST_KEYS = "a approve  r reject  l log  d diff  t attach  p pause  x abort  ? keys  q quit";
export const PAGE_KEYS = "↑ ↓ PgUp PgDn move  q back";
export const APPROVAL_KEYS = "a approve  r reject  ↑ ↓ move  q back";
