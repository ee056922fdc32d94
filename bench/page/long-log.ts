import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TIME = '"ts_server":"';
const LINE_MS_DIGITS = 24;

/** Gives each stored event another time, so that the log looks as if it had been written over a longer span. */
function restamp(path: string, timeOf: (line: number) => string, from: number): number {
  const lines = readFileSync(path, "utf8").split("\n");
  const last = lines.length - 1;
  for (let index = 0; index < last; index += 1) {
    const line = lines[index] ?? "";
    const at = line.indexOf(TIME) + TIME.length;
    lines[index] = `${line.slice(0, at)}${timeOf(from + index)}${line.slice(at + LINE_MS_DIGITS)}`;
  }
  writeFileSync(path, lines.join("\n"));
  return last;
}

/**
 * Spreads the events of a stopped daemon's log evenly over a span that ends now. States that hold the earlier times are
 * removed. The indexes stay: each line keeps its length.
 */
export function spreadLog(folder: string, spanMs: number): { readonly from: number; readonly to: number } {
  const log = join(folder, ".claws", "log");
  const names = readdirSync(log).toSorted();
  const segments = names.filter((name) => name.endsWith(".jsonl"));
  const counts = segments.map((name) => readFileSync(join(log, name), "utf8").split("\n").length - 1);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const to = Date.now();
  const from = to - spanMs;
  const timeOf = (line: number): string => new Date(from + (line / total) * spanMs).toISOString();
  let line = 0;
  for (const name of segments) line += restamp(join(log, name), timeOf, line);
  for (const derived of ["state", "moments"]) rmSync(join(folder, ".claws", derived), { recursive: true, force: true });
  return { from, to };
}
