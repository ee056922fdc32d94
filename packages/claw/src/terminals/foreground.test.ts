import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { contentOf, findForeground } from "./foreground.ts";

test.each([
  ["bash", [], "shell"],
  ["-zsh", [], "shell"],
  ["claude", [], "claude"],
  ["node", ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"], "claude"],
  ["node", ["node", "x.js", "/bin/claude"], "node"],
  ["node", ["/bin/claude"], "claude"],
  ["node", ["node", "notclaude"], "node"],
  ["node", ["node", "claude.md"], "node"],
  ["MainThread", [], "node"],
  ["python3.12", [], "python"],
  ["pythonista", [], "unknown"],
  ["nvim", [], "vim"],
  ["htop", [], "htop"],
  ["less", [], "unknown"],
])("%s with %j is %s", (name, argv, content) => expect(contentOf(name, argv)).toBe(content));

test("a process without a terminal, or that is gone, has nobody in its foreground", async () => {
  const nobody = { pid: null, basename: null, contentType: "unknown" };
  const child = spawn("cat", { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill());
  expect(await findForeground(child.pid ?? 0)).toEqual(nobody);
  expect(await findForeground(2 ** 30)).toEqual(nobody);
});
