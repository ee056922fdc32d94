import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Machine } from "./cluster-scene.ts";
import { done, endAfterTest, on, spawnOn, startMachines } from "./cluster-scene.ts";
import type { Frame } from "./daemon-process.ts";
import { beginClaw } from "./daemon-process.ts";
import { runClaw } from "./run-claw.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

/** What all answers about one thing have in common. */
const plain = ({ timestamp: _timestamp, ...rest }: Record<string, unknown>): Record<string, unknown> => rest;

/** A worker on a machine that says one thing, waits for a file, and says another. */
async function spawnWaiting({ workspace }: Machine, machine: Machine): Promise<string> {
  const go = join(workspace.home, "go");
  const runs = `until [ -e ${go} ]; do sleep 0.05; done`;
  const tool = { type: "tool", name: "Bash", input: { command: "wait" }, runs };
  const steps = [{ type: "text", text: "Before." }, tool, { type: "text", text: "After." }];
  const scenario = join(workspace.home, "waits.json");
  writeFileSync(scenario, JSON.stringify({ steps }));
  endAfterTest(await done(machine, "spawn", "--harness", "fake", "--name", "w", "--scenario", scenario, "go"));
  return go;
}

test("the log of a worker is the same from every machine: as text, raw, and from a position on", async () => {
  const [one, two] = await startMachines("one", "two");
  await spawnOn(one, "w", "--scenario", "tools", "--wait", "complete");
  const own = await done(one, "logs", "w");
  expect(String(own["text"])).toContain("Looked around and wrote notes.md.");
  expect(plain(await done(two, "logs", "w"))).toEqual(plain(own));
  const at = String(own["next_offset"]);
  for (const flags of [["--raw"], ["--since-offset", "2000"], ["--since-offset", at]]) {
    expect(plain(await done(two, "logs", "w", ...flags))).toEqual(plain(await done(one, "logs", "w", ...flags)));
  }
  const raw = await runClaw(two.workspace, ["logs", "w", "--raw"]);
  expect(raw.stdout).toBe((await runClaw(one.workspace, ["logs", "w", "--raw"])).stdout);
  expect(raw.stdout).toContain('"type":"result"');
});

test("a worker's log is followed from another machine to the worker's end", async () => {
  const [one, two] = await startMachines("one", "two");
  const go = await spawnWaiting(one, one);
  const following = beginClaw(two.workspace, ["logs", "--follow", "w", "--output-format", "stream-json"]);
  await following.line("what was said before", (line) => line.includes('"Before."'));
  writeFileSync(go, "");
  await following.line("what was said after", (line) => line.includes('"After."'));
  const { exitCode } = await following.ended;
  expect(exitCode).toBe(0);
  const texts = following.lines.map((line) => JSON.parse(line) as Frame).flatMap(({ text }) => text ?? []);
  expect(texts.filter((text) => text !== "").join("\n")).toBe(String((await done(one, "logs", "w"))["text"]));
});

test("a terminal of another machine is listed, used, read and closed by its name", async () => {
  const [one, two] = await startMachines("one", "two");
  endHostAfterTest(one.workspace);
  const opened = await done(one, "terminal", "create", "--name", "work", "--shell", "/bin/bash");
  const id = String(opened["terminal_id"]);
  const { terminals } = await done(two, "terminal", "list");
  expect(terminals).toMatchObject([{ terminal_id: id, name: "work", machine: "one" }]);
  const exec = await done(two, "terminal", "exec", "work", "echo from $((40 + 2))");
  expect(exec).toMatchObject({ terminal_id: id, output: "from 42\n", command_exit: 0 });
  const failed = await on(two, "terminal", "exec", id, "exit 3 | false");
  expect(failed.error).toMatchObject({ code: "EXEC_FAILED" });
  await until("the output to be written", async () =>
    String((await done(two, "logs", "work"))["text"]).includes("from 42"),
  );
  const text = (machine: Machine): Promise<unknown> => done(machine, "logs", id).then(plain);
  expect(await text(two)).toEqual(await text(one));
  const following = beginClaw(two.workspace, ["logs", "--follow", "work", "--output-format", "stream-json"]);
  await following.line("old output", (line) => line.includes("from 42"));
  expect(await done(two, "terminal", "close", "work")).toMatchObject({ terminal_id: id, effect: "deleted" });
  expect((await following.ended).exitCode).toBe(0);
  expect((await done(two, "terminal", "list"))["terminals"]).toEqual([]);
  for (const args of [
    ["terminal", "exec", "work", "true"],
    ["attach", "work"],
    ["logs", "never"],
  ]) {
    expect((await on(two, ...args)).error).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  }
  expect(existsSync(join(two.workspace.cwd, ".claws", "terminals", id))).toBe(false);
});
