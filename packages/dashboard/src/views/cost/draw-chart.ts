import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { CostSteps } from "./cost-sums.ts";

export interface DrawnChart {
  close(): void;
}

const HEIGHT = 220;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function optionsOf(width: number, limits: readonly { readonly name: string; readonly usd: number }[]): uPlot.Options {
  const axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--border") },
    ticks: { stroke: colour("--border") },
  };
  const money = (_: uPlot, values: number[]): string[] => values.map((value) => `$${value.toFixed(2)}`);
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    axes: [axis, { ...axis, values: money, size: 64 }],
    series: [
      {},
      {
        label: "spent",
        stroke: colour("--accent"),
        fill: colour("--accent"),
        ...(bars === undefined ? {} : { paths: bars }),
        points: { show: false },
      },
      { label: "in all", stroke: colour("--ink"), width: 1.5, points: { show: false } },
      ...limits.map(({ name }) => ({ label: name, stroke: colour("--bad"), dash: [6, 4], points: { show: false } })),
    ],
  };
}

/** Draws spending: bars for each step, a line for the sum, a dashed line for each budget. */
export function drawChart(
  box: HTMLElement,
  { starts, spent, total }: CostSteps,
  limits: readonly { readonly name: string; readonly usd: number }[],
): DrawnChart {
  const seconds = starts.map((start) => start / 1000);
  const lines = limits.map(({ usd }) => starts.map(() => usd));
  const data = [seconds, [...spent], [...total], ...lines] as uPlot.AlignedData;
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
