import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { ROOT } from "../architecture/source-tree.ts";
import { textOf } from "../e2e/provocations.ts";
import { BINARY } from "../e2e/run-claw.ts";
import { LEAD_CLIENTS } from "./lead-clients.ts";
import { fleetScenario } from "./lead-model.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { claw, startDaemon } from "./real-workers.ts";

const page = readFileSync(join(ROOT, "docs/orchestrate.md"), "utf8");

/** The commands below a heading of the page. */
function commandsBelow(heading: string): string {
  const [, part = ""] = page.split(`\n${heading}\n`);
  const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(part) ?? [];
  expect(commands).toContain("claw ");
  return commands;
}

/** Runs commands as the reader of the page would, with `claw` on the PATH. */
async function follow(scene: RealScene, commands: string): Promise<{ stdout: string; stderr: string }> {
  const bin = join(String(scene.env["HOME"]), "bin");
  mkdirSync(bin, { recursive: true });
  if (textOf(join(bin, "claw")) === undefined) symlinkSync(BINARY, join(bin, "claw"));
  const env = { ...scene.env, PATH: `${bin}:${scene.env["PATH"]}` };
  const child = spawn("/bin/sh", ["-ec", commands], { cwd: scene.cwd, env, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end();
  const { exitCode, stdout, stderr } = await outputOf(child);
  expect([exitCode, stderr, stdout].slice(0, exitCode === 0 ? 1 : 3)).toEqual([0]);
  return { stdout, stderr };
}

const SECTIONS = [
  ["claude", "### Claude Code"],
  ["codex", "### Codex"],
  ["gemini", "### Gemini CLI"],
] as const;

test.each(SECTIONS)("the page leads %s from install to three verified workers", async (wanted, heading) => {
  const found = LEAD_CLIENTS.find(({ client }) => client === wanted);
  if (found === undefined) throw new Error(`no client is called ${wanted}`);
  const scene = found.prepare(await createRealScene(fleetScenario(found.toolName)));
  await startDaemon(scene);
  expect((await follow(scene, commandsBelow("## Start"))).stdout).toMatch(/claude +user +works/);
  await follow(scene, commandsBelow(heading));
  const { workers } = await claw(scene, "ps", "--all");
  const seen = (workers as { name: string; completion: string }[]).map(
    ({ name, completion }) => `${name} ${completion}`,
  );
  expect(seen.toSorted()).toEqual(["one verified", "three verified", "two verified"]);
  await follow(scene, commandsBelow("## Supervise"));
});

test("the page names the versions that the tests run", () => {
  const pinned = JSON.parse(readFileSync(join(ROOT, "test/real/pinned.json"), "utf8")) as Record<
    string,
    { version: string }
  >;
  const versions = Object.values(pinned).map(({ version }) => version);
  expect(versions.filter((version) => !page.includes(`| ${version} |`))).toEqual([]);
});
