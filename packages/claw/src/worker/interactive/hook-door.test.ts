import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { outputOf } from "../../process/testing/output-of.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { bundleProgram } from "../../process/testing/bundle-program.ts";
import type { TakeReport } from "./hook-door.ts";
import { openHookDoor } from "./hook-door.ts";

/** The program that agents report with. */
const hook = await bundleProgram(new URL("../hook/main.ts", import.meta.url), temporaryFolder(afterAll));

/** A folder whose socket could not be named by its path. */
function deepFolder(): string {
  const folder = join(temporaryFolder(onTestFinished), "d".repeat(120));
  mkdirSync(folder);
  return folder;
}

/** Runs the program that agents report with; resolves with what it printed. */
async function report(
  folder: string,
  input: string,
  ...given: string[]
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [hook, join(folder, "hooks.sock"), ...given], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const { exitCode, stdout } = await outputOf(child);
  return { code: exitCode, said: stdout };
}

async function openDoor(folder: string, take: TakeReport): Promise<void> {
  const door = await openHookDoor(folder, take, (problem) => expect.unreachable(problem));
  onTestFinished(() => door.close());
}

test("a report reaches the worker without what tools gave back, and the answer reaches the agent", async () => {
  const folder = deepFolder();
  const heard: unknown[] = [];
  await openDoor(folder, async (fields) => {
    heard.push(fields);
    return fields["hook_event_name"] === "PermissionRequest" ? '{"yes":true}' : null;
  });
  expect(statSync(join(folder, "hooks.sock")).mode & 0o777).toBe(0o600);
  const asked = { hook_event_name: "PermissionRequest", tool_name: "Bash", permission_mode: "acceptEdits" };
  expect(await report(folder, JSON.stringify(asked))).toEqual({ code: 0, said: '{"yes":true}' });
  const used = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_response: "x".repeat(2_000_000) };
  expect(await report(folder, JSON.stringify(used))).toEqual({ code: 0, said: "" });
  expect(await report(folder, "", '{"type":"agent-turn-complete"}')).toEqual({ code: 0, said: "" });
  expect(heard).toEqual([
    asked,
    { hook_event_name: "PostToolUse", tool_name: "Bash" },
    { type: "agent-turn-complete" },
  ]);
});

test("what is reported while the worker is away is heard when it is back, once", async () => {
  const folder = deepFolder();
  expect(await report(folder, '{"hook_event_name":"Stop"}')).toEqual({ code: 0, said: "" });
  appendFileSync(join(folder, "hooks.missed"), '{"hook_event_name":"No');
  const heard: unknown[] = [];
  const take: TakeReport = async (fields, gone) => {
    heard.push([fields, gone.aborted]);
    return null;
  };
  await openDoor(folder, take);
  expect(heard).toEqual([[{ hook_event_name: "Stop" }, true]]);
  expect(existsSync(join(folder, "hooks.missed"))).toBe(false);
});

test.each(["", "no json", "[1]", "null", `{"hook_event_name":"${"x".repeat(1_100_000)}"}`])(
  "whatever an agent says, its hook ends well and says nothing",
  async (input) => {
    const folder = deepFolder();
    await openDoor(folder, async () => null);
    expect(await report(folder, input)).toEqual({ code: 0, said: "" });
  },
);

test("a question whose asker is gone is given up", async () => {
  const folder = deepFolder();
  let asked = (): void => undefined;
  const asking = new Promise<void>((resolve) => (asked = resolve));
  const given = new Promise<void>((resolve) => {
    void openDoor(folder, (_fields, gone) => {
      asked();
      return new Promise((done) => {
        gone.addEventListener("abort", () => {
          resolve();
          done(null);
        });
      });
    });
  });
  const child = spawn(process.execPath, [hook, join(folder, "hooks.sock")], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end('{"hook_event_name":"PermissionRequest"}');
  await asking;
  child.kill("SIGKILL");
  await given;
  expect(child.killed).toBe(true);
});
