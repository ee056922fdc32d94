import { ClawError } from "claw-contract/client";
import { expect, test } from "vitest";
import { messageOf } from "./message-of.ts";

test("a refusal is shown with its hint, on one line, with nothing deceptive", () => {
  const error = new ClawError("BUS_UNREACHABLE", "no\nbus \u202e", {
    operation: "ask",
    target: "bus",
    hint: "Start it",
  });
  expect(messageOf(error)).toBe("no bus \\u{202e}. Start it");
  expect([messageOf(new Error("plain")), messageOf("text")]).toEqual(["plain", "text"]);
});
