/** What a figure must not pass. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** Where a figure stands in a plot of the document. */
export interface PlotPoint {
  /** Name of the plot's file. */
  readonly plot: string;
  /** What the x axis counts. */
  readonly counts: string;
  readonly line: string;
  readonly x: number;
}

/** One figure of a suite. Without a bar it is shown for information and counts as met. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: Bar | undefined;
  readonly met: boolean;
  readonly point?: PlotPoint;
}

/** Tells people what is going on. Never part of the figures. */
export type Progress = (text: string) => void;

/** Measures something. Resolves with its figures and leaves nothing behind; rejects when it cannot measure. */
export type Suite = (progress: Progress) => Promise<Row[]>;

function isMet(value: number, bar: Bar): boolean {
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}

export function row(name: string, value: number, unit: string, bar?: Bar): Row {
  return { name, value, unit, bar, met: bar === undefined || isMet(value, bar) };
}
