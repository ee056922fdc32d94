import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { SUITES } from "../bench/suites.ts";
import { ROOT } from "./architecture/source-tree.ts";

const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;

/** The numbers that a suite printed: in each row behind the figure's name, two spaces or more apart. */
const valuesIn = (stdout: string): number[] =>
  [...stdout.matchAll(/ {2,}(-?\d+(?:\.\d+)?|NaN|Infinity)(?: |$)/gm)].map(([, value]) => Number(value));

test.each(Object.keys(SUITES))("the benchmark %s runs from its beginning to its end", async (suite) => {
  const program = join(ROOT, "node_modules/.bin/tsx");
  const { stdout } = await promisify(execFile)(program, ["bench/run.ts", suite], {
    cwd: ROOT,
    env: { ...env, BENCH_EFFORT: "smoke" },
  });
  const values = valuesIn(stdout);
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
});
