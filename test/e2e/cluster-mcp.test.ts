import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { done, endAfterTest, startCluster, workerOn } from "./cluster-scene.ts";
import { connectMcp } from "./mcp-scene.ts";
import type { Frame } from "./daemon-process.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

test("an agent on one machine leads workers and terminals of another over MCP, and sees where they are", async () => {
  const { machines } = await startCluster(["one", "two"]);
  const [one, two] = machines;
  endHostAfterTest(one.workspace);
  const { call } = await connectMcp(two.workspace, { version: "2025-06-18", args: ["--tools", "all"] });
  const run = { mission: "look around", name: "far", harness: "fake", on: "one", wait_seconds: 0 };
  expect(await call("claws_run", run)).toMatchObject({ workers: [{ name: "far" }] });
  const far = await until("the worker to be known", () => workerOn(one, "far"));
  endAfterTest(far);
  expect(await call("claws_workers")).toMatchObject({ workers: [{ name: "far", machine: "one" }], total: 1 });
  expect(await call("claws_show", { worker: "far" })).toMatchObject({ worker: { name: "far", machine: "one" } });
  await until("the worker to be connected", async () =>
    ((await call("claws_peers"))["peers"] as Frame[]).some(
      ({ peerName, machine }) => peerName === "far" && machine === "one",
    ),
  );
  const nowhere = await call("claws_run", { ...run, name: "lost", on: "none" });
  expect(nowhere.error).toMatchObject({ code: "MACHINE_AWAY", retryable: true });

  const opened = await done(one, "terminal", "create", "--name", "desk", "--shell", "/bin/bash");
  const id = String(opened["terminal_id"]);
  expect(await call("claws_list")).toMatchObject({ terminals: [{ id, machine: "one" }] });
  expect(await call("claws_exec", { id, command: "echo seen" })).toMatchObject({ exit_code: 0, output: "seen\n" });
  const { text } = await call("claws_read_log", { id, lines: 5 });
  expect(text).toContain("seen");
  const polled = async (): Promise<Frame[]> => (await call("claws_poll"))["events"] as Frame[];
  await until("the command to be told of", async () =>
    (await polled()).some(({ commandLine, output }) => commandLine === "echo seen" && output === "seen\n"),
  );
  expect(await call("claws_close", { id })).toMatchObject({ ok: true });
  expect(await call("claws_list")).toMatchObject({ terminals: [] });
});
