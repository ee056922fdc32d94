import type { VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import { joinSignals } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { Screen, Span } from "../../runtime/screen.ts";
import { cutToWidth } from "../../text/text-width.ts";
import type { DemoLink } from "./demo-page.ts";
import type { DemoLine } from "./narrate.ts";
import type { DemoWorker } from "./story.ts";

/** The person who watches a demonstration and may answer questions, or a stand-in where no person watches. */
export interface Audience {
  /** Whether a person sees the lines on a screen; otherwise the lines belong into the stream of the verb. */
  readonly looksOn: boolean;
  /** Aborts when the demonstration must end, also because the person leaves. */
  readonly signal: AbortSignal;
  /** Shows how the person reaches the page in the browser. */
  showPage(link: DemoLink | string, opened: boolean): void;
  /** Shows a line about an event, and the state of each worker. */
  show(line: DemoLine | undefined, workers: readonly DemoWorker[]): void;
  /**
   * Resolves with the decision about a question; null after Esc or when `over` aborts. Rejects when the person leaves.
   */
  decide(asked: DemoQuestion, over: AbortSignal): Promise<DemoDecision | null>;
  /** Shows the end. Resolves when the person presses a key, or at once with `--once` or without a person. */
  bow(): Promise<void>;
  close(): void;
}

/** A question: the worker, and the command that the worker wants to run. */
interface DemoQuestion {
  readonly worker: string;
  readonly what: string;
  /** Without an answer until this time, permission is refused. Milliseconds since 1970. */
  readonly deadlineMs: number;
}

export type DemoDecision = "approve" | "reject";

const STYLES: Readonly<Record<DemoLine["tone"], Span["styles"]>> = {
  plain: [],
  good: ["green"],
  bad: ["yellow"],
  asks: ["cyan", "bold"],
};

const NAME_COLUMNS = 9;
const STATE_COLUMNS = 13;

const spansOf = ({ worker, text, tone }: DemoLine, columns: number): Span[] => [
  { text: `${(worker ?? "").padEnd(NAME_COLUMNS)} `, styles: ["dim"] },
  { text: `${cutToWidth(text, columns - NAME_COLUMNS - 1)}\n`, styles: STYLES[tone] ?? [] },
];

/** The stand-in where no person watches: allows every question and shows no lines. */
const nobody = (signal: AbortSignal): Audience => ({
  looksOn: false,
  signal,
  showPage: () => undefined,
  show: () => undefined,
  decide: () => Promise.resolve("approve"),
  bow: () => Promise.resolve(),
  close: () => undefined,
});

const INTRODUCTION: readonly Span[] = [
  { text: "A daemon and four agents, each in its own worktree. No key is needed.\n", styles: ["bold"] },
  { text: "One will ask you, one meets its usage limit, one is killed, one just works.\n\n", styles: ["dim"] },
];

/** How the person reaches the page. The link stands alone in its line, so that a terminal can open it. */
function pageSpans(link: DemoLink | string, opened: boolean): Span[] {
  if (typeof link === "string") return [{ text: `There is no page: ${link}\n\n`, styles: ["yellow"] }];
  const how = opened ? "The same in your browser, at this link:\n" : "The same in a browser, with this link:\n";
  return [{ text: how }, { text: link.url, styles: ["cyan"] }, { text: "\n\n" }];
}

const FOOTER: readonly Span[] = [{ text: "Ctrl-C leaves and takes everything away", styles: ["dim"] }];
const EMPTY: readonly Span[] = [{ text: "" }];

type Rows = readonly (readonly Span[])[];

/** Keys that answer a question, and the decision of each key. */
const ANSWERS: Readonly<Record<string, DemoDecision>> = {
  y: "approve",
  a: "approve",
  enter: "approve",
  n: "reject",
  r: "reject",
};

/** The time left to answer, as a clock shows it: `1:05 left`. */
export function demoTimeLeft(deadlineMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
}

const questionRows = ({ worker, what, deadlineMs }: DemoQuestion, nowMs: number): Rows => [
  [{ text: `Allow ${worker} to run  ${what}`, styles: ["bold"] }],
  [
    { text: "y or Enter allows it, n refuses it", styles: ["cyan"] },
    { text: `  ${demoTimeLeft(deadlineMs, nowMs)}`, styles: ["dim"] },
  ],
];

/** A row for each worker and, below the rows, the open question or the footer. */
function panelOf(workers: readonly DemoWorker[], question: Rows | null): (readonly Span[])[] {
  const rows = workers.map(({ name, state, completion, cost_usd: cost }): Span[] => {
    const done = completion === "verified";
    const said = (completion ?? state).padEnd(STATE_COLUMNS);
    return [
      { text: `${name.padEnd(NAME_COLUMNS)} `, styles: ["bold"] },
      { text: `${said} `, styles: done ? ["green"] : state === "working" ? [] : ["yellow"] },
      { text: `$${cost.toFixed(2)}`, styles: ["dim"] },
    ];
  });
  return [EMPTY, ...rows, ...(question === null ? [FOOTER] : [EMPTY, ...question])];
}

const hasLeft = (): ClawError =>
  new ClawError("CANCELLED", "the demonstration was stopped; its folder is removed", {
    operation: "demo",
    target: "demo",
    details: { signal: "SIGINT" },
  });

/** How often the time left is shown anew. */
const TICK_MS = 1000;

/** The panel below the printed lines: the state of each worker, and the open question. */
interface Panel {
  show(workers: readonly DemoWorker[]): void;
  /** Asks while the demonstration goes on. Resolves with the key, null for Esc; rejects with the signal's reason. */
  ask(rows: () => Rows, keys: readonly string[], until: AbortSignal): Promise<string | null>;
}

function createPanel(screen: Screen): Panel {
  let question: (() => Rows) | null = null;
  let known: readonly DemoWorker[] = [];
  const draw = (): void => screen.panel(panelOf(known, question?.() ?? null));
  const put = (rows: (() => Rows) | null): void => {
    question = rows;
    draw();
  };
  return {
    show: (workers) => {
      known = workers;
      draw();
    },
    ask: async (rows, keys, until) => {
      const ticking = setInterval(draw, TICK_MS);
      try {
        return await screen.choose({ prompt: () => put(rows), keys }, until);
      } finally {
        clearInterval(ticking);
        put(null);
      }
    },
  };
}

/** Asks whether a worker may run its command; null when the question is over before the person answers. */
async function letDecide(panel: Panel, asked: DemoQuestion, { signal, over }: Record<"signal" | "over", AbortSignal>) {
  const until = joinSignals({ signals: [signal, over] });
  try {
    const key = await panel.ask(() => questionRows(asked, Date.now()), Object.keys(ANSWERS), until.signal);
    return ANSWERS[key ?? ""] ?? null;
  } catch (error) {
    if (over.aborted && !signal.aborted) return null;
    throw error;
  } finally {
    until.release();
  }
}

const lastRows = (hasPage: boolean): Rows => [
  [
    { text: "That was all. ", styles: ["cyan"] },
    { text: hasPage ? "The page stays until you leave. " : "" },
    { text: "Press q or Enter to leave.", styles: ["cyan"] },
  ],
];

function watch(screen: Screen, once: boolean, outer: AbortSignal): Audience {
  const leaving = new AbortController();
  // Never released: the demonstration is all that the call does.
  const { signal } = joinSignals({ signals: [outer, leaving.signal] });
  const deaf = screen.watchInterrupt(() => leaving.abort(hasLeft()));
  const panel = createPanel(screen);
  let hasPage = false;
  screen.write(...INTRODUCTION);
  return {
    looksOn: true,
    signal,
    showPage: (link, opened) => {
      hasPage = typeof link !== "string";
      screen.write(...pageSpans(link, opened));
    },
    show: (line, workers) => {
      if (line !== undefined) screen.write(...spansOf(line, screen.columns()));
      panel.show(workers);
    },
    decide: (asked, over) => letDecide(panel, asked, { signal, over }),
    bow: async () => {
      // The demonstration is complete. From here on, Esc and Ctrl-C do not cancel the call, and `--keep` keeps the
      // folder.
      deaf();
      if (!once) await panel.ask(() => lastRows(hasPage), ["q", "enter"], signal);
      screen.panel(null);
      screen.write({ text: "\n" });
    },
    close: () => screen.close(),
  };
}

/** Opens the screen when a person watches, unless `--headless` is given. */
export async function createAudience({ headless, once }: VerbInput<"demo">, ports: Ports): Promise<Audience> {
  if (headless || ports.openScreen === null) return nobody(ports.signal);
  return watch(await ports.openScreen(), once, ports.signal);
}
