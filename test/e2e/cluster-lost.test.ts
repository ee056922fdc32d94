import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Machine } from "./cluster-scene.ts";
import { done, on, returns, spawnOn, startMachines, workerOn } from "./cluster-scene.ts";
import type { Frame } from "./daemon-process.ts";
import { beginClaw, clawsFile, killHard } from "./daemon-process.ts";
import { openTerminal } from "./terminal-session.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

/** Ends the daemon of a machine without a word. */
const kill = ({ workspace }: Machine): Promise<void> =>
  killHard(Number((JSON.parse(readFileSync(clawsFile(workspace, "daemon.json"), "utf8")) as Frame)["pid"]));

const AWAY = { code: "MACHINE_AWAY", retryable: true, message: expect.stringContaining("machine one") as string };

test("a daemon that is killed during an attach from elsewhere: it ends with an error, and can be made again", async () => {
  const [one, two] = await startMachines("one", "two");
  endHostAfterTest(one.workspace);
  await done(one, "terminal", "create", "--name", "work", "--shell", "/bin/bash");
  const session = openTerminal(two.workspace, ["attach", "work"]);
  await session.shows(/work on one/);
  session.type("echo first-$((1 + 1))");
  session.press("Enter");
  await session.shows(/^first-2/m);
  await kill(one);
  await session.shows(/the daemon of machine one [^]*next: /);
  const refused = await on(two, "terminal", "exec", "work", "true");
  expect(refused.error).toMatchObject({
    code: "TERMINAL_NOT_FOUND",
    message: expect.stringContaining("of machine one this is not known") as string,
  });
  await returns(one);
  const again = openTerminal(two.workspace, ["attach", "work"]);
  await again.shows(/first-2/);
  again.type("echo second-$((1 + 1))");
  again.press("Enter");
  await again.shows(/^second-2/m);
  again.press("C-\\");
  await again.shows(/Left terminal/);
});

test("a daemon that is killed while another waits for its answer: each call ends with an error, and works again later", async () => {
  const [one, two] = await startMachines("one", "two");
  endHostAfterTest(one.workspace);
  const opened = await done(one, "terminal", "create", "--name", "work", "--shell", "/bin/bash");
  const id = String(opened["terminal_id"]);
  await spawnOn(one, "w", "--scenario", "hang");
  const began = join(one.workspace.home, "began");
  const waiting = on(two, "terminal", "exec", "work", `touch ${began}; sleep 600`);
  const following = beginClaw(two.workspace, ["logs", "--follow", "w", "--output-format", "stream-json"]);
  await following.line("its beginning", (line) => line.includes('"kind":"start"'));
  await until("the command to begin", () => {
    try {
      return readFileSync(began, "utf8") === "";
    } catch {
      return false;
    }
  });
  await kill(one);
  expect((await waiting).error).toMatchObject(AWAY);
  expect((await following.ended).exitCode).not.toBe(0);
  expect(JSON.parse(following.lines.at(-1) ?? "") as Frame).toMatchObject({ error: AWAY });
  for (const args of [
    ["logs", "w"],
    ["abort", "w"],
    ["restart", "w"],
    ["rework", "w", "again"],
    ["rm", "w"],
    ["terminal", "exec", id, "true"],
    ["logs", id],
    ["attach", id],
    ["terminal", "close", id],
    ["send", "w", "hello"],
    ["tasks", "assign", "w", "look"],
    ["rpc", "call", "w", "ping"],
    ["spawn", "--harness", "fake", "--on", "one", "go"],
  ]) {
    const { error } = await on(two, ...args);
    expect({ args, error }).toMatchObject({ args, error: AWAY });
  }
  await returns(one);
  await until("the worker to be heard", async () => (await workerOn(two, "w"))?.["state"] === "working");
  expect(String((await done(two, "logs", "w"))["text"])).toContain("start 1");
  await done(two, "abort", "w");
});

test("a machine that is asked for and not in the cluster is refused by its name", async () => {
  const [one] = await startMachines("one");
  const { error } = await on(one, "spawn", "--harness", "fake", "--on", "none", "go");
  expect(error).toMatchObject({ code: "MACHINE_AWAY", message: "the daemon of machine none does not run" });
  expect((await on(one, "logs", "nothing")).error).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
});
