import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colourOf } from "../../parts/colour.ts";
import { dayTimeText, timeText } from "../../text/amounts.ts";
import type { CostSteps } from "./cost-sums.ts";
import { LEAST_USD } from "./cost-sums.ts";

export interface DrawnChart {
  close(): void;
}

const HEIGHT = 220;

/** Times as the rest of the page writes them; the day stands where it begins. */
function clockLabels(_: uPlot, values: number[]): string[] {
  return values.map((value, at) => {
    const day = dayTimeText(value * 1000).slice(5, 10);
    const before = dayTimeText((values[at - 1] ?? value) * 1000).slice(5, 10);
    return day === before ? timeText(value * 1000).slice(0, 5) : day;
  });
}

/** Distances between two labels of the axis of time, in seconds. No label is nearer than a minute: steps are minutes. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * 60);

function optionsOf(width: number, limits: readonly { readonly name: string; readonly usd: number }[]): uPlot.Options {
  const axis = {
    stroke: colourOf("--faint"),
    grid: { stroke: colourOf("--border") },
    ticks: { stroke: colourOf("--border") },
  };
  const money = (_: uPlot, values: number[]): string[] => values.map((value) => `$${value.toFixed(2)}`);
  const bars = uPlot.paths.bars?.({ size: [0.7, 40], align: 1 });
  const bar = { ...(bars === undefined ? {} : { paths: bars }), points: { show: false } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    axes: [
      { ...axis, values: clockLabels, incrs: CLOCK_STEPS, space: 60 },
      { ...axis, values: money, size: 64 },
    ],
    series: [
      {},
      { ...bar, label: "estimated", stroke: colourOf("--accent"), fill: colourOf("--estimated") },
      { ...bar, label: "spent", stroke: colourOf("--accent"), fill: colourOf("--accent") },
      {
        label: "in all",
        stroke: colourOf("--ink"),
        width: 1.5,
        ...(stepped === undefined ? {} : { paths: stepped }),
        points: { show: false },
      },
      ...limits.map(({ name }) => ({ label: name, stroke: colourOf("--bad"), dash: [6, 4], points: { show: false } })),
    ],
  };
}

/** Heights of bars; a step without spending has none. */
const barsOf = (amounts: readonly number[]): (number | null)[] => [
  ...amounts.map((usd) => (usd < LEAST_USD ? null : usd)),
  null,
];

/** Draws spending: bars for each step, their estimated part on top, a line for the sum, a dashed line for each budget. */
export function drawChart(
  box: HTMLElement,
  { starts, spent, estimated, total }: CostSteps,
  limits: readonly { readonly name: string; readonly usd: number }[],
): DrawnChart {
  // The last step needs room behind its start.
  const step = (starts[1] ?? 0) - (starts[0] ?? 0);
  const ends = [...starts, (starts.at(-1) ?? 0) + step];
  const lines = limits.map(({ usd }) => ends.map(() => usd));
  const sums = [...total, total.at(-1) ?? 0];
  const sure = spent.map((usd, at) => usd - (estimated[at] ?? 0));
  const times = ends.map((end) => end / 1000);
  const data = [times, barsOf(spent), barsOf(sure), sums, ...lines] as uPlot.AlignedData;
  const chart = new uPlot(optionsOf(box.clientWidth, limits), data, box);
  const sized = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }));
  sized.observe(box);
  return {
    close: () => {
      sized.disconnect();
      chart.destroy();
    },
  };
}
