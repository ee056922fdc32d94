import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createTestPorts } from "../testing/test-ports.ts";
import { planService } from "./service-plan.ts";

const ENV = { HOME: "/home/u", PATH: "/bin", ANTHROPIC_API_KEY: "secret" };

function planIn(name: string, platform: NodeJS.Platform) {
  const cwd = join(temporaryFolder(onTestFinished), name);
  mkdirSync(cwd);
  return planService(undefined, createTestPorts(cwd, { env: ENV, program: ["/usr/bin/node", "/opt/claw"] }), platform);
}

test("on Linux a unit of systemd takes every character of the folder literally, and leaves workers alone", () => {
  const { path, text, workspace } = planIn('a "b" %h $c', "linux");
  expect(path).toMatch(/^\/home\/u\/\.config\/systemd\/user\/claw-a-b-h-c-[0-9a-f]{8}\.service$/);
  expect(text).toContain(`ExecStart="/usr/bin/node" "/opt/claw" "up" "--foreground" "--cwd=`);
  expect(text).toContain(String.raw`/a \"b\" %%h $$c"`);
  expect(text).toContain(`WorkingDirectory=${workspace.replace("%", "%%")}\n`);
  expect(text).toContain("KillMode=process\n");
  expect(text).not.toContain("secret");
});

test("on macOS a property list of launchd", () => {
  const { name, path, text } = planIn("a&b", "darwin");
  expect(path).toBe(`/home/u/Library/LaunchAgents/${name}.plist`);
  expect(text).toContain(`<key>Label</key>\n\t<string>${name}</string>`);
  expect(text).toMatch(/<string>--cwd=[^<]*\/a&amp;b<\/string>/);
  expect(text).toContain("<key>AbandonProcessGroup</key>\n\t<true/>");
  expect(text).not.toContain("secret");
});

test("elsewhere the call says that claw knows no service manager", () => {
  expect(() => planIn("a", "win32")).toThrow(
    expect.objectContaining({ code: "INVALID_FLAG_VALUE", target: "--manager" }),
  );
});

test("two folders of one name have two services", () => {
  expect(planIn("same", "linux").name).not.toBe(planIn("same", "linux").name);
});
