import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { until } from "../../../process/testing/until.ts";
import { browserCommand, openBrowser } from "./open-browser.ts";

test.each([
  ["linux", {}, undefined],
  ["linux", { DISPLAY: "" }, undefined],
  ["linux", { DISPLAY: ":0" }, "xdg-open"],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "xdg-open"],
  ["linux", { WSL_DISTRO_NAME: "Debian" }, "wslview"],
  ["linux", { DISPLAY: ":0", BROWSER: "firefox" }, "firefox"],
  ["linux", { DISPLAY: ":0", BROWSER: "w3m %s:lynx" }, "xdg-open"],
  ["darwin", {}, "open"],
  ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["win32", {}, undefined],
] as const)("on %s with %j a browser is opened by %s", (platform, env, command) => {
  expect(browserCommand(env, platform)).toBe(command);
});

/** A browser that writes down what it was given, and ends with this code. */
function playBrowser(code: number): { command: string; shown: () => string } {
  const folder = temporaryFolder(onTestFinished);
  const command = join(folder, "bin", "browser");
  const log = join(folder, "shown");
  writeFileSync(log, "");
  mkdirSync(join(folder, "bin"));
  writeFileSync(command, `#!/bin/sh\nprintf '%s' "$1" > '${log}'\nexit ${code}\n`);
  chmodSync(command, 0o755);
  return { command, shown: () => readFileSync(log, "utf8") };
}

test("a browser gets the address as one word, also one that a shell would read otherwise", async () => {
  const { command, shown } = playBrowser(0);
  const url = "http://127.0.0.1:1/a/enter?code=$(touch x)&b;c";
  expect(await openBrowser(url, { BROWSER: command, PATH: process.env["PATH"] })).toBe(true);
  await until("the browser has shown it", () => shown() === url);
});

test.each([
  ["fails", () => playBrowser(3).command],
  ["is not there", () => "/nowhere/browser"],
])("a browser that %s was not opened", async (_how, command) => {
  expect(await openBrowser("http://127.0.0.1:1/", { BROWSER: command(), PATH: process.env["PATH"] })).toBe(false);
});

test("without a desktop no browser is opened", async () => {
  expect(await openBrowser("http://127.0.0.1:1/", {})).toBe(false);
});
