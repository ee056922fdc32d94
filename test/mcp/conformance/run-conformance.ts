import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../packages/claw/src/files/testing/temporary-folder.ts";

const PROGRAM = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const LOADER = new URL("fs-with-glob.mjs", import.meta.url).href;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "INFO" | "SKIPPED" | "WARNING" | "FAILURE";
  readonly errorMessage?: string;
}

export interface Verdict {
  readonly scenarios: number;
  readonly passed: number;
  /** Checks that failed or that the suite warned of, and what the suite said of each. */
  readonly complaints: readonly string[];
}

const { NODE_EXTRA_CA_CERTS: _slow, ...ENV } = process.env;

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const argv = ["--import", LOADER, PROGRAM, ...args];
    const options = { env: { ...ENV, NO_COLOR: "1" }, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(process.execPath, argv, options, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });
}

/** Names of the scenarios that the suite has for servers. */
export async function listScenarios(): Promise<string[]> {
  const listed = await run(["list", "--server"]);
  return [...listed.matchAll(/^ +- ([a-z0-9-]+)/gm)].map(([, name = ""]) => name);
}

/** Runs the official conformance suite against a server. No failure is expected, so none is excused. */
export async function runConformance(url: string, args: readonly string[]): Promise<Verdict> {
  const folder = temporaryFolder(onTestFinished);
  const output = await run(["server", "--url", url, "--output-dir", folder, ...args]);
  const scenarios = readdirSync(folder).map((name) => ({
    name,
    checks: JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Check[],
  }));
  if (scenarios.length === 0) throw new Error(`the suite ran nothing:\n${output.slice(-2000)}`);
  const all = scenarios.flatMap(({ name, checks }) => checks.map((check) => ({ name, ...check })));
  return {
    scenarios: scenarios.length,
    passed: all.filter(({ status }) => status === "SUCCESS").length,
    complaints: all
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ name, id, status, errorMessage = "" }) => `${name} ${id}: ${status} ${errorMessage}`),
  };
}
