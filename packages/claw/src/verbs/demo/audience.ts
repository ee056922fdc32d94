import type { VerbInput } from "@claw/contract";
import { ClawError } from "@claw/contract";
import { joinSignals } from "../../process/index.ts";
import type { Ports } from "../handle.ts";
import type { Screen, Span } from "../screen.ts";
import { cut } from "../text-layout.ts";
import type { DemoLine } from "./narrate.ts";
import type { DemoWorker } from "./story.ts";

/** Whoever watches a demonstration, and may take part in it. */
export interface Audience {
  /** Whether somebody sees what is shown here; otherwise it belongs into the stream of the verb. */
  readonly looksOn: boolean;
  /** Aborted when everything is to end, also because whoever watches wants to leave. */
  readonly signal: AbortSignal;
  /** Shows what happened, and how everybody is doing. */
  show(line: DemoLine | undefined, workers: readonly DemoWorker[]): void;
  /** What is decided about a question; null when nothing is. Rejects when the audience leaves. */
  decide(asked: Asked): Promise<Decision | null>;
  /** Waits until the end was seen, where somebody looks on. */
  bow(): Promise<void>;
  close(): void;
}

/** What one of them wants to do. */
interface Asked {
  readonly worker: string;
  readonly what: string;
}

type Decision = "approve" | "reject";

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
  { text: `${cut(text, columns - NAME_COLUMNS - 1)}\n`, styles: STYLES[tone] ?? [] },
];

/** Nobody is asked: everything is allowed. */
const nobody = (signal: AbortSignal): Audience => ({
  looksOn: false,
  signal,
  show: () => undefined,
  decide: () => Promise.resolve("approve"),
  bow: () => Promise.resolve(),
  close: () => undefined,
});

const INTRODUCTION: readonly Span[] = [
  { text: "A daemon and four agents, each in a worktree of its own. No key is needed.\n", styles: ["bold"] },
  { text: "One will ask you, one meets its usage limit, one is killed, one just works.\n\n", styles: ["dim"] },
];

const FOOTER: readonly Span[] = [{ text: "Ctrl-C leaves and takes everything away", styles: ["dim"] }];
const EMPTY: readonly Span[] = [{ text: "" }];

/** Everybody in a row of their own, and below them what is asked. */
function panelOf(workers: readonly DemoWorker[], question: readonly (readonly Span[])[] | null): (readonly Span[])[] {
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
  new ClawError("CANCELLED", "the demonstration was left; nothing of it stays", { operation: "demo", target: "demo" });

function watch(screen: Screen, once: boolean, outer: AbortSignal): Audience {
  const leaving = new AbortController();
  // Never released: the demonstration is all that the call does.
  const { signal } = joinSignals({ signals: [outer, leaving.signal] });
  const deaf = screen.watchInterrupt(() => leaving.abort(hasLeft()));
  let question: readonly (readonly Span[])[] | null = null;
  let known: readonly DemoWorker[] = [];
  screen.write(...INTRODUCTION);
  const draw = (): void => screen.panel(panelOf(known, question));
  // Asked below what happens, which goes on meanwhile.
  const ask = async (rows: readonly (readonly Span[])[], keys: readonly string[]): Promise<string | null> => {
    const prompt = (): void => {
      question = rows;
      draw();
    };
    try {
      return await screen.choose({ prompt, keys }, signal);
    } finally {
      question = null;
      draw();
    }
  };
  return {
    looksOn: true,
    signal,
    show: (line, workers) => {
      known = workers;
      if (line !== undefined) screen.write(...spansOf(line, screen.columns()));
      draw();
    },
    decide: async ({ worker, what }) => {
      const keys: Span = { text: "a allows it, r refuses it", styles: ["cyan"] };
      const key = await ask([[{ text: `Allow ${worker} to run  ${what}`, styles: ["bold"] }], [keys]], ["a", "r"]);
      return key === null ? null : key === "a" ? "approve" : "reject";
    },
    bow: async () => {
      // Nothing is taken away from whoever leaves now.
      deaf();
      if (!once) await ask([[{ text: "That was all. Press q to leave.", styles: ["cyan"] }]], ["q"]);
      screen.panel(null);
      screen.write({ text: "\n" });
    },
    close: () => screen.close(),
  };
}

/** Takes the screen where a person looks on, unless told to do without one. */
export async function createAudience({ headless, once }: VerbInput<"demo">, ports: Ports): Promise<Audience> {
  if (headless || ports.openScreen === null) return nobody(ports.signal);
  return watch(await ports.openScreen(), once, ports.signal);
}
