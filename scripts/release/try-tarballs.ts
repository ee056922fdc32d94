import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, giveNode } from "../nodes/give-node.mjs";
import type { Programs } from "./programs.ts";

/** Imports every entry of both libraries, and prints which Node did. */
const IMPORTS = `
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { errorRow } from "claw-contract";
import { jsonSchema } from "claw-contract/schemas";
const missing = Object.entries({ connectWorker, unixChannel, errorRow, jsonSchema }).filter(([, value]) => typeof value !== "function");
if (missing.length > 0) throw new Error("no function: " + missing.map(([name]) => name).join(", "));
console.log(process.versions.node);
`;

interface Trial {
  readonly programs: Programs;
  readonly tarballs: readonly string[];
  /** The version that the tarballs should have. */
  readonly version: string;
  /** The exact version of Node. */
  readonly node: string;
  /** An empty folder, which the caller removes. */
  readonly folder: string;
}

function expectText(what: string, text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${what} should say "${part}", but says: ${text.trim().slice(0, 500)}`);
}

/** What of `claw doctor` a broken package would change: its own Node, and no failed check. */
function expectHealthy(text: string, node: string): void {
  const { exit_code, has_failures, checks } = JSON.parse(text) as {
    readonly exit_code?: unknown;
    readonly has_failures?: unknown;
    readonly checks?: readonly { readonly id: string; readonly summary: string }[];
  };
  if (exit_code !== 0 || has_failures !== false) throw new Error(`claw doctor found failures: ${text.slice(0, 2000)}`);
  expectText("claw doctor", checks?.find(({ id }) => id === "node")?.summary ?? "nothing", `Node ${node}`);
}

/** Installs the tarballs into an empty project and uses them on one Node. npm's cache has what they need. */
export async function tryTarballs({ programs, tarballs, version, node, folder }: Trial): Promise<string> {
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [project, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "name": "outside", "private": true, "type": "module" }\n');
  const program = giveNode(node);
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await programs.run(["npm", "install", ...flags, ...tarballs], { cwd: project, env: environmentOf(program) });
  const { PATH } = process.env;
  const clean = { PATH, HOME: home, TMPDIR: folder, LANG: "C.UTF-8", GIT_CEILING_DIRECTORIES: folder };
  const env = environmentOf(program, clean);
  const claw = (...args: string[]): Promise<string> =>
    programs.run([join(project, "node_modules/.bin/claw"), ...args], { cwd: project, env });
  expectText("claw --version", await claw("--version"), `claw ${version} (node ${node}`);
  expectText("claw -p hello", await claw("-p", "hello", "--model", "scripted"), "hello\n");
  expectHealthy(await claw("doctor", "--output-format", "json"), node);
  writeFileSync(join(project, "imports.mjs"), IMPORTS);
  expectText("imports.mjs", await programs.run([program, "imports.mjs"], { cwd: project, env }), node);
  return "installed; claw --version, -p and doctor, and the imports of both libraries work";
}
