import { createRedactor } from "claw-contract";
import { expect, test } from "vitest";
import type { AnyTool, PermissionQuestion } from "../../../agent/index.ts";
import { createMemoryScreen } from "../../testing/memory-screen.ts";
import { createPermissionAsker } from "./ask-permission.ts";

const NEVER = new AbortController().signal;
const TOOLS = [
  { name: "bash", mainField: "command" },
  { name: "edit_file", mainField: "path" },
] as unknown as AnyTool[];

const question = (command: string): PermissionQuestion => ({
  toolUseId: "1",
  tool: "bash",
  input: { command },
  reason: "a rule asks",
  preview: null,
});

function open() {
  const screen = createMemoryScreen();
  const redactor = createRedactor({ secrets: ["hunter2-hunter2"] });
  return { screen, approve: createPermissionAsker(screen, () => TOOLS, redactor) };
}

test("yes is for once, always for that tool and subject, anything else is no", async () => {
  const { screen, approve } = open();
  screen.answer("y", "a", "n", null);
  const answers = [];
  for (const command of ["ls", "ls", "ls", "ls -a", "ls -b"]) answers.push(await approve(question(command), NEVER));
  const no = { allow: false, reason: "denied at the terminal" };
  expect(answers).toEqual([{ allow: true }, { allow: true }, { allow: true }, no, no]);
});

test("the question names tool, reason and input, without secrets", async () => {
  const { screen, approve } = open();
  await approve(question("curl -H hunter2-hunter2"), NEVER);
  expect(screen.text()).toContain("bash curl");
  expect(screen.text()).toContain("a rule asks");
  expect(screen.text()).not.toContain("hunter2-hunter2");
});

test("a change is shown as a diff in colours, with the place when that is not what the call names", async () => {
  const { screen, approve } = open();
  const diff = "Index: a\n====\n--- a\n+++ a\n@@ -1,1 +1,1 @@\n-old\n+new\n";
  const preview = { path: "/elsewhere/real.ts", diff };
  await approve({ ...question(""), tool: "edit_file", input: { path: "link.ts" }, preview }, NEVER);
  expect(screen.styled()).toContain("<red>  -old\n</red><green>  +new\n</green>");
  expect(screen.text()).toContain("in /elsewhere/real.ts");
  expect(screen.text()).not.toContain("Index:");
});

test("questions wait for each other, and one that was given up does not hold up the next", async () => {
  const { screen, approve } = open();
  screen.answer("y");
  const controller = new AbortController();
  controller.abort(new Error("interrupted"));
  const [left, right] = await Promise.allSettled([
    approve(question("a"), controller.signal),
    approve(question("b"), NEVER),
  ]);
  expect([left.status, right]).toEqual(["rejected", { status: "fulfilled", value: { allow: true } }]);
});
