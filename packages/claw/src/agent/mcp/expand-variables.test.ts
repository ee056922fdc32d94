import { expect, test } from "vitest";
import { expandVariables } from "./expand-variables.ts";

const ENV = { HOME: "/home/me", A: "a", EMPTY: "", NESTED: "${A}", TILDE: "~/x" };

test.each([
  ["plain $A {A} $", { text: "plain $A {A} $" }],
  ["${A}-${A}", { text: "a-a" }],
  ["[${EMPTY}]", { text: "[]" }],
  ["${NOWHERE:-b}${A:-c}${NOWHERE:-}", { text: "ba" }],
  ["${NESTED}", { text: "${A}" }],
  ["~", { text: "/home/me" }],
  ["~/bin/${A}", { text: "/home/me/bin/a" }],
  ["${TILDE}", { text: "~/x" }],
  ["~other/~", { text: "~other/~" }],
  ["${A} ${NOWHERE}", { missing: "NOWHERE" }],
])("%s becomes %j", (text, expansion) => {
  expect(expandVariables(text, ENV)).toEqual(expansion);
});

test("without a home a tilde stays", () => {
  expect(expandVariables("~/x", {})).toEqual({ text: "~/x" });
});
