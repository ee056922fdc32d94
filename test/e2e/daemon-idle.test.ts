import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import { connectWire } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

const CAN_TRACE = spawnSync("strace", ["-V"]).status === 0;

const WAITS = "epoll_wait,epoll_pwait,epoll_pwait2";

/** A wait for whatever comes, with no time at which it would end by itself, that has not ended yet. */
const ENDLESS = /epoll_p?wait2?\(0x\w+, 0x\w+, 0x\w+, 0xffffffff[^)]*$/;

test.skipIf(!CAN_TRACE)("a daemon that nobody talks to waits without an end: it never polls", async () => {
  const { cwd } = createWorkspace();
  const trace = join(cwd, "trace");
  const under = ["strace", "-f", "-e", `trace=${WAITS}`, "-e", `raw=${WAITS}`, "-o", trace];
  const daemon = await startForeground(cwd, { under });
  onTestFinished(() => daemon.kill());
  const asleep = (): boolean => ENDLESS.test(readFileSync(trace, "utf8").split("\n").at(-1) ?? "");
  await until("the loop to wait for good after the start", asleep);
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator");
  await client.publish("note.x", 1);
  await until("the loop to wait for good while a client is there", asleep);
  client.close();
  expect(await until("the loop to wait for good once it left", asleep)).toBe(true);
});
