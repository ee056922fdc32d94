import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { agent } from "./agent.ts";
import { bus } from "./bus.ts";
import { coldStart } from "./cold-start.ts";
import { harness } from "./harness.ts";
import { listSessions } from "./list-sessions.ts";
import { recordIn, textTable } from "./report.ts";
import { schemas } from "./schemas.ts";
import type { Row, Suite } from "./suite.ts";
import { exitOnSignals } from "./temp-folder.ts";
import { terminals } from "./terminals.ts";
import { workers } from "./workers.ts";

const SUITES: Readonly<Record<string, Suite>> = {
  "cold-start": coldStart,
  sessions: listSessions,
  bus,
  harness,
  agent,
  workers,
  terminals,
  schemas,
};

const DOCUMENT = new URL("../docs/benchmarks.md", import.meta.url);

interface Request {
  readonly names: readonly string[];
  readonly record: boolean;
}

/** Which suites to run: those named, else all. Throws for a name that is none. */
function readArguments(argv: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { record: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const known = Object.keys(SUITES);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no suite '${unknown}'; there are ${known.join(", ")}`);
  return { names: positionals.length === 0 ? known : positionals, record: values.record };
}

async function runSuite(name: string, record: boolean): Promise<readonly Row[]> {
  const rows = (await SUITES[name]?.((text) => console.error(`${name}: ${text}`))) ?? [];
  console.log(`\n${name}\n\n${textTable(rows)}`);
  if (record) writeFileSync(DOCUMENT, recordIn(readFileSync(DOCUMENT, "utf8"), name, rows));
  return rows;
}

/** Runs the suites one after the other. Says how to exit: with 1 when a bar was missed. */
async function main(argv: readonly string[]): Promise<number> {
  const { names, record } = readArguments(argv);
  exitOnSignals();
  const rows: Row[] = [];
  for (const name of names) rows.push(...(await runSuite(name, record)));
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
