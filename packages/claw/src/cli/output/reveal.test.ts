import { createRedactor } from "claw-contract";
import { expect, test } from "vitest";
import { revealing, shownSecrets } from "./reveal.ts";

const TOKEN = `claw1.${"a1".repeat(20)}.${"b2".repeat(20)}`;
const OTHER = `claw1.${"c3".repeat(20)}.${"d4".repeat(20)}`;
const redactor = createRedactor({ secrets: ["hunter22"] });

test("what a verb shows once passes, and every other secret is masked as ever", () => {
  const { redactText, redactValue } = revealing(redactor, [TOKEN]);
  expect(redactValue({ token: TOKEN, data: { token: TOKEN, list: [TOKEN, OTHER] }, note: "hunter22" })).toEqual({
    token: TOKEN,
    data: { token: TOKEN, list: [TOKEN, "[REDACTED]"] },
    note: "[REDACTED]",
  });
  expect(redactText(`${TOKEN}\nhunter22 ${OTHER}\n`)).toBe(`${TOKEN}\n[REDACTED] [REDACTED]\n`);
});

test("a token of claw is masked wherever it is not shown on purpose", () => {
  expect(redactor.redactText(`bearer is ${TOKEN}, resume1.${"a1".repeat(20)}.${"b2".repeat(20)}`)).toBe(
    "bearer is [REDACTED], [REDACTED]",
  );
  expect(revealing(redactor, [])).toBe(redactor);
});

test("only members that the verb declares are shown, and of an answer only", () => {
  expect(shownSecrets({ kind: "data", data: { token: TOKEN, other: OTHER } }, ["token"])).toEqual([TOKEN]);
  expect(shownSecrets({ kind: "data", data: { token: null } }, ["token"])).toEqual([]);
  expect(shownSecrets({ kind: "data", data: { token: TOKEN } })).toEqual([]);
  expect(shownSecrets({ kind: "not-modified" }, ["token"])).toEqual([]);
});
