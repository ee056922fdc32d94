import { expect, test } from "vitest";
import { actionsOf, matchVerb, verbId, wordsOf } from "./verb-words.ts";

const VERBS = [
  { name: "status" },
  { name: "tasks assign" },
  { name: "tasks list", alone: true as const },
  { name: "rpc call" },
];

const match = (...words: string[]) => {
  const found = matchVerb(words, VERBS);
  return found === undefined ? undefined : [found.verb.name, found.length];
};

test("words name the verb they begin with, and the rest are its arguments", () => {
  expect(match("status")).toEqual(["status", 1]);
  expect(match("status", "list")).toEqual(["status", 1]);
  expect(match("tasks", "assign", "p_1")).toEqual(["tasks assign", 2]);
  expect(match("rpc", "call")).toEqual(["rpc call", 2]);
});

test("the first word of a family alone is the verb that says so", () => {
  expect(match("tasks")).toEqual(["tasks list", 1]);
  expect(match("rpc")).toBeUndefined();
});

test("a second word that no verb of the family has is no argument of the one that stands alone", () => {
  expect(match("tasks", "lst")).toBeUndefined();
  expect(match("rpc", "cal")).toBeUndefined();
});

test("two words in one argument are no verb", () => {
  expect(match("tasks assign")).toBeUndefined();
  expect(match("tasks assign", "x")).toBeUndefined();
  expect(match()).toBeUndefined();
});

test("a verb has one name for files and two words for answers", () => {
  expect([verbId("tasks assign"), verbId("list-sessions")]).toEqual(["tasks-assign", "list-sessions"]);
  expect(wordsOf("tasks assign")).toEqual({ command: "tasks", action: "assign" });
  expect(wordsOf("list-sessions")).toEqual({ command: "list-sessions" });
  expect(actionsOf("tasks", VERBS).map(({ name }) => name)).toEqual(["tasks assign", "tasks list"]);
});
