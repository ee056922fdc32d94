import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { daemonEnvironment, serverMarkEnvironment } from "./server-environment.ts";

/** A process with the given variables that lives as long as the test. */
function startWith(env: NodeJS.ProcessEnv): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill());
  return child.pid ?? 0;
}

test.skipIf(process.platform !== "linux")("a mark that an agent dropped is found at the process above", () => {
  const marks = { CLAW_WORKER_ID: "p_7", CLAW_WORKER_NAME: "lead", CLAW_WORKER_BUS: "/s=1" };
  const pid = startWith({ ...marks, SECRET: "x" });
  expect(serverMarkEnvironment({ PATH: "/bin" }, pid)).toEqual({ PATH: "/bin", ...marks });
  expect(serverMarkEnvironment({ CLAW_WORKER_ID: "p_1" }, pid)).toEqual({ CLAW_WORKER_ID: "p_1" });
});

test("outside of workers nothing is added", () => {
  expect(serverMarkEnvironment({ PATH: "/bin" }, startWith({}))).toEqual({ PATH: "/bin" });
  expect(serverMarkEnvironment({ PATH: "/bin" }, 1)).toEqual({ PATH: "/bin" });
});

test("a daemon gets no secrets but those that the user's settings name", () => {
  const home = temporaryFolder(onTestFinished);
  mkdirSync(join(home, ".claw"));
  const env = { HOME: home, PATH: "/bin", OPENAI_API_KEY: "a", GITHUB_TOKEN: "b" };
  expect(daemonEnvironment(home, env)).toEqual({ HOME: home, PATH: "/bin" });
  writeFileSync(join(home, ".claw", "settings.json"), '{ "mcp": { "passEnv": ["OPENAI_API_KEY", "NONE"] } }');
  expect(daemonEnvironment("/", env)).toEqual({ HOME: home, PATH: "/bin", OPENAI_API_KEY: "a" });
});
