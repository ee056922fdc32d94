import type { Row } from "./suite.ts";

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 60;
const RIGHT = 190;
const TOP = 20;
const BOTTOM = 50;
/** Colours that can be told apart on light and dark pages, and without seeing colours well. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"];

interface Place {
  readonly x: number;
  readonly y: number;
}

type Lines = ReadonlyMap<string, readonly Place[]>;

/** A drawing of one plot, as a file of its own. */
export interface Plot {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

function linesOf(rows: readonly Row[], plot: string): Lines {
  const lines = new Map<string, Place[]>();
  for (const { point, value } of rows) {
    if (point?.plot !== plot) continue;
    const line = lines.get(point.line) ?? [];
    line.push({ x: point.x, y: value });
    lines.set(point.line, line);
  }
  return lines;
}

const text = (x: number, y: number, words: string, more = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;

const countText = (count: number): string => {
  if (count >= 1e6) return `${count / 1e6} M`;
  return count >= 1000 ? `${count / 1000} k` : String(count);
};

/** A step between marks of the y axis: at most six of them, at 1, 2 or 5 times a power of ten. */
function stepFor(top: number): number {
  const power = 10 ** Math.floor(Math.log10(top / 6));
  return ([1, 2, 5].find((each) => top / (each * power) <= 6) ?? 10) * power;
}

interface Axes {
  readonly xOf: (x: number) => number;
  readonly yOf: (y: number) => number;
}

function axesOf(points: readonly Place[], top: number): Axes {
  const logs = points.map(({ x }) => Math.log10(x));
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const across = (WIDTH - LEFT - RIGHT) / Math.max(most - least, Number.EPSILON);
  return {
    xOf: (x) => LEFT + (Math.log10(x) - least) * across,
    yOf: (y) => HEIGHT - BOTTOM - (y / top) * (HEIGHT - TOP - BOTTOM),
  };
}

function marksOf(points: readonly Place[], { xOf, yOf }: Axes, top: number): string[] {
  const step = stepFor(top);
  const heights = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
  return [
    ...heights.flatMap((y) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yOf(y).toFixed(1)}" y2="${yOf(y).toFixed(1)}" stroke="#8884"/>`,
      text(LEFT - 8, yOf(y) + 4, String(Number(y.toPrecision(3))), 'text-anchor="end"'),
    ]),
    ...[...new Set(points.map(({ x }) => x))].map((x) =>
      text(xOf(x), HEIGHT - BOTTOM + 18, countText(x), 'text-anchor="middle"'),
    ),
  ];
}

function lineOf(name: string, places: readonly Place[], { xOf, yOf }: Axes, index: number): string[] {
  const colour = COLOURS[index % COLOURS.length] ?? "";
  const path = places.map(({ x, y }) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`);
  const labelY = TOP + 12 + index * 20;
  return [
    `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...path.map((at) => `<circle cx="${at.split(",")[0]}" cy="${at.split(",")[1]}" r="3" fill="${colour}"/>`),
    `<rect x="${WIDTH - RIGHT + 14}" y="${labelY - 9}" width="12" height="4" fill="${colour}"/>`,
    text(WIDTH - RIGHT + 32, labelY, name),
  ];
}

function drawPlot(rows: readonly Row[], plot: string): Plot {
  const lines = linesOf(rows, plot);
  const first = rows.find(({ point }) => point?.plot === plot);
  const points = [...lines.values()].flat();
  const top = Math.max(...points.map(({ y }) => y)) * 1.1;
  const axes = axesOf(points, top);
  const counts = first?.point?.counts ?? "";
  const parts = [
    ...marksOf(points, axes, top),
    ...[...lines].flatMap(([name, places], index) => lineOf(name, places, axes, index)),
    text(LEFT, HEIGHT - 10, counts),
    text(4, TOP - 6, first?.unit ?? ""),
  ];
  const style = 'font-family="sans-serif" font-size="12" fill="#777"';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${style}>\n${parts.join("\n")}\n</svg>\n`;
  return { file: `${plot}.svg`, title: `Cost against ${counts}`, svg };
}

/** The plots of a suite: one for each name among the points of its rows. */
export function plotsOf(rows: readonly Row[]): Plot[] {
  const names = new Set(rows.flatMap(({ point }) => (point === undefined ? [] : [point.plot])));
  return [...names].map((name) => drawPlot(rows, name));
}
