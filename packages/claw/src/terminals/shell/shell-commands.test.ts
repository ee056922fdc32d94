import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { markedLine, typedLine } from "./shell-commands.ts";

test("a command is typed as it is, unless a key in it would do something else", () => {
  expect(typedLine("echo 'it' $x \\ ü")).toBe("echo 'it' $x \\ ü");
  expect(typedLine("a!b")).toBe("eval $'a\\x21b'");
  expect(typedLine("a\nb\tc\u007fd\u0001")).toBe("eval $'a\\x0ab\\x09c\\x7fd\\x01'");
  expect(typedLine("!'\\")).toBe("eval $'\\x21\\'\\\\'");
});

test("a line for a shell without marks puts them around the command, and does not show them itself", () => {
  const nonce = "0123456789abcdef";
  const line = markedLine("printf '%s\\n' \"it's\"; (exit 3)", nonce);
  expect(line).not.toContain(nonce);
  expect(execFileSync("/bin/sh", ["-c", line]).toString()).toBe(
    `\u001b]6973;${nonce};C;\u0007it's\n\u001b]6973;${nonce};D;3\u0007`,
  );
});
