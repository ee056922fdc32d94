import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";
import { plotsOf } from "./plot.ts";
import { recordIn, textTable } from "./report.ts";
import { EFFORT } from "./effort.ts";
import type { Row } from "./suite.ts";
import { SUITES } from "./suites.ts";
import { exitOnSignals } from "./temp-folder.ts";

const DOCUMENT = new URL("../docs/benchmarks.md", import.meta.url);
const PLOTS = new URL("../docs/plots/", import.meta.url);

interface Request {
  readonly names: readonly string[];
  readonly record: boolean;
  /** A revision whose build is measured beside this one, in place of the suites. */
  readonly compare: string | undefined;
}

/** Which suites to run: those named, else all. Throws for a name that is none. */
function readArguments(argv: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { record: { type: "boolean", default: false }, compare: { type: "string" } },
    allowPositionals: true,
  });
  const known = Object.keys(SUITES);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no suite '${unknown}'; there are ${known.join(", ")}`);
  if (values.record && EFFORT === "smoke") throw new Error("the figures of a smoke run are not recorded");
  return { names: positionals.length === 0 ? known : positionals, record: values.record, compare: values.compare };
}

async function runSuite(name: string, record: boolean): Promise<readonly Row[]> {
  const rows = (await SUITES[name]?.((text) => console.error(`${name}: ${text}`))) ?? [];
  console.log(`\n${name}\n\n${textTable(rows)}`);
  if (record) {
    writeFileSync(DOCUMENT, recordIn(readFileSync(DOCUMENT, "utf8"), name, rows));
    mkdirSync(PLOTS, { recursive: true });
    for (const { file, svg } of plotsOf(rows)) writeFileSync(new URL(file, PLOTS), svg);
  }
  return rows;
}

async function runCompare(revision: string): Promise<readonly Row[]> {
  const rows = await compare(revision, (text) => console.error(`compare: ${text}`));
  console.log(`\nagainst ${revision}\n\n${textTable(rows)}`);
  return rows;
}

/** Runs the suites one after the other, or compares two builds. Says how to exit: with 1 when a bar was missed. */
async function main(argv: readonly string[]): Promise<number> {
  const request = readArguments(argv);
  exitOnSignals();
  const rows: Row[] = [];
  if (request.compare !== undefined) rows.push(...(await runCompare(request.compare)));
  else for (const name of request.names) rows.push(...(await runSuite(name, request.record)));
  if (EFFORT === "smoke") return 0;
  const missed = rows.filter((row) => !row.met);
  for (const { name, unit } of missed) console.error(`missed: ${name} (${unit})`);
  return missed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
