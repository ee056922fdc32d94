import { expect, test } from "vitest";
import { plotsOf } from "./plot.ts";
import type { Row } from "./suite.ts";
import { row } from "./suite.ts";

const point = (line: string, x: number, value: number): Row => ({
  ...row(`${line}, ${x}`, value, "× at 10"),
  point: { plot: "cost", counts: "events <stored>", line, x },
});

const marks = (svg: string, mark: RegExp): number[][] =>
  [...svg.matchAll(mark)].map(([, x, y]) => [Number(x), Number(y)]);

test("each point is drawn once, further right and higher the larger it is", () => {
  const rows = [point("publish", 10, 1), point("publish", 1000, 2), row("a figure beside the plot", 3, "ms")];
  const [plot, ...others] = plotsOf(rows);
  expect([plot?.file, plot?.title, others]).toEqual(["cost.svg", "Cost against events <stored>", []]);
  const circles = marks(plot?.svg ?? "", /<circle cx="([\d.]+)" cy="([\d.]+)"/g);
  const [[firstX = 0, firstY = 0] = [], [secondX = 0, secondY = 0] = []] = circles;
  expect([circles.length, secondX > firstX, secondY < firstY]).toEqual([2, true, true]);
});

test("a line of one point, and texts with signs of the format, make a drawing that is whole", () => {
  const [plot] = plotsOf([point("a < b & c", 10, 0.5)]);
  expect(plot?.svg).toMatch(/^<svg [^>]*>\n[\s\S]*\n<\/svg>\n$/);
  expect(plot?.svg).toContain("a &lt; b &amp; c");
  expect(plot?.svg).not.toMatch(/NaN|Infinity/);
});

test("rows without a point give no plot", () => {
  expect(plotsOf([row("a figure", 1, "ms")])).toEqual([]);
});
