import { expect, test } from "vitest";
import { NEW_SESSION } from "./agent-session.ts";
import { causeOf } from "./conclude-session.ts";

test("an agent that ends before its first turn was over names its question, or what it printed last", () => {
  const output =
    "Welcome\n\n  Unable to connect to the service \nFailed to connect: ECONNREFUSED\n\nCheck your network.\n";
  expect(causeOf(NEW_SESSION, output)).toBe(
    ": Unable to connect to the service Failed to connect: ECONNREFUSED Check your network.",
  );
  const shown = "its terminal asks: Trust this folder? (answer: claw attach mend)";
  expect(causeOf({ ...NEW_SESSION, shown }, output)).toBe(`: ${shown}`);
  expect(causeOf({ ...NEW_SESSION, turns: 1 }, output)).toBe("");
  expect(causeOf(NEW_SESSION, " \n")).toBe("");
  expect(causeOf(NEW_SESSION, "x".repeat(500))).toHaveLength(162);
});
