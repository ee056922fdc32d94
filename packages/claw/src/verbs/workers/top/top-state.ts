import type { ScreenKey, ScreenRow } from "../../runtime/full-screen.ts";
import type { TopMoment, TopItem } from "./top-list.ts";
import { listItems } from "./top-list.ts";

/** Text that fills the screen and can be moved through. */
export interface TextPage {
  readonly title: string;
  /** The rows for a terminal of this width. */
  readonly rowsAt: (columns: number) => readonly ScreenRow[];
  /** First row that is shown. */
  readonly from: number;
  /** Whether the end is shown, also when rows are added. */
  readonly follows: boolean;
  /** Worker whose log the page shows, which goes on. */
  readonly logOf?: string;
  /** Id of the approval that the page shows; keys on the page answer the approval. */
  readonly approvalId?: string;
  readonly keys: string;
}

/** A question that `y` answers with yes, and every other key with no. */
export interface TopQuestion {
  readonly text: string;
  readonly act: () => Promise<string>;
}

/** What `claw top` knows and shows. */
export interface TopState {
  readonly moment: TopMoment | null;
  /** When the bus went away, in milliseconds; null while it is there. */
  readonly awaySince: number | null;
  /** Key of the selected item. */
  readonly selected: string | null;
  readonly page: TextPage | null;
  readonly question: TopQuestion | null;
  /** The outcome of the last key. */
  readonly message: string;
}

export const NEW_STATE: TopState = {
  moment: null,
  awaySince: null,
  selected: null,
  page: null,
  question: null,
  message: "",
};

export const itemsOf = ({ moment }: TopState): readonly TopItem[] => (moment === null ? [] : listItems(moment));

const peerOf = (item: TopItem | undefined): string | null =>
  (item?.kind === "worker" ? item.placed.worker.peer_id : item?.need.peerId) ?? null;

/**
 * The state with a newer moment. What is selected stays selected; when it is gone, another row of the same worker, so that
 * a key never means a worker that the person did not choose. Only then the row at the same place.
 */
export function withMoment(state: TopState, moment: TopMoment): TopState {
  const before = itemsOf(state);
  const chosen = selectedItem(state);
  const next = { ...state, moment };
  const items = itemsOf(next);
  const place = before.findIndex(({ key }) => key === chosen?.key);
  const same =
    items.find(({ key }) => key === chosen?.key) ??
    items.find((item) => peerOf(item) !== null && peerOf(item) === peerOf(chosen));
  return { ...next, selected: (same ?? items[within(place, items.length - 1)])?.key ?? null };
}

/** The selected item. When it is gone, the first item. */
export function selectedItem(state: TopState): TopItem | undefined {
  const items = itemsOf(state);
  return items.find(({ key }) => key === state.selected) ?? items[0];
}

/** How far a key moves; undefined for a key that moves nothing. */
function stepOf(key: ScreenKey, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    "page-up": -page,
    "page-down": page,
    " ": page,
    home: -Infinity,
    g: -Infinity,
    end: Infinity,
    G: Infinity,
  };
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

const within = (value: number, last: number): number => Math.min(Math.max(0, value), Math.max(0, last));

/** Rows that are made once for each width. */
export function fitted(make: (columns: number) => readonly ScreenRow[]): TextPage["rowsAt"] {
  let made: { readonly columns: number; readonly rows: readonly ScreenRow[] } | undefined;
  return (columns) => {
    if (made?.columns !== columns) made = { columns, rows: make(columns) };
    return made.rows;
  };
}

/** Room for the list or a page. */
export interface TopRoom {
  readonly columns: number;
  readonly rows: number;
}

function movePage(page: TextPage, step: number, { columns, rows }: TopRoom): TextPage {
  const last = Math.max(0, page.rowsAt(columns).length - rows);
  const from = within((page.follows ? last : page.from) + step, last);
  return { ...page, from, follows: page.logOf !== undefined && from === last };
}

/** The state after a key that moves the selection or the page; undefined for another key. */
export function moveBy(state: TopState, key: ScreenKey, room: TopRoom): TopState | undefined {
  const step = stepOf(key, Math.max(1, room.rows - 1));
  if (step === undefined) return undefined;
  if (state.page !== null) return { ...state, page: movePage(state.page, step, room) };
  const items = itemsOf(state);
  const at = items.findIndex((item) => item.key === selectedItem(state)?.key);
  const next = items[within(at + step, items.length - 1)];
  return { ...state, selected: next?.key ?? null, message: "" };
}
